import type { LeverageBps, PricePips, RateBps, TokenUnits, UsdcUnits, UsdPips } from '@core/pricing';
import type { ActiveStatus, CloseReason, InactiveStatus } from '../states/transitions.ts';

/** Figures of the opening, net of what a partial fill refunded. Null until the fill is recorded. */
export interface EntryFigures {
  readonly collateralUsdcUnits: UsdcUnits;
  readonly collateralUsdPips: UsdPips;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly notionalUsdPips: UsdPips;
  readonly leverageBps: LeverageBps;
  readonly pricePips: PricePips;
  readonly effectiveEntryPricePips: PricePips | null;
  readonly effectiveSlippageBps: RateBps | null;
  readonly positionTokenUnits: TokenUnits;
  readonly initialFillBps: RateBps | null;
  readonly originationFeeUsdcUnits: UsdcUnits;
  readonly originationFeeUsdPips: UsdPips;
  /** From the creation to the recorded fill. */
  readonly openLatencyMs: number | null;
}

/** Live figures at the mark. */
export interface CurrentFigures {
  readonly bookLeverageBps: LeverageBps;
  readonly leverageBps: LeverageBps;
  /** Null when nothing would be left after repaying. */
  readonly marketLeverageBps: LeverageBps | null;
  readonly markPricePips: PricePips;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly notionalUsdPips: UsdPips;
  readonly positionTokenUnits: TokenUnits;
  readonly remainingBps: RateBps | null;
  readonly collateralUsdcUnits: UsdcUnits;
  readonly collateralUsdPips: UsdPips;
  readonly effectiveCollateralUsdcUnits: UsdcUnits;
  readonly effectiveCollateralUsdPips: UsdPips;
  readonly unrealizedPnlUsdcUnits: UsdcUnits;
  readonly unrealizedPnlUsdPips: UsdPips;
  readonly unrealizedPnlBps: RateBps;
  readonly netUnrealizedPnlUsdcUnits: UsdcUnits;
  readonly netUnrealizedPnlUsdPips: UsdPips;
  readonly netUnrealizedPnlBps: RateBps;
  readonly positionValueUsdcUnits: UsdcUnits;
  readonly positionValueUsdPips: UsdPips;
  /** Both 0 when no part can be closed. */
  readonly minPartialCloseTokenUnits: TokenUnits;
  readonly maxPartialCloseTokenUnits: TokenUnits;
}

/** Distance from liquidation. */
export interface RiskFigures {
  readonly healthBps: RateBps;
  readonly currentLiquidationPricePips: PricePips;
  readonly liquidationThresholdUsdcUnits: UsdcUnits;
  readonly liquidationBufferBps: RateBps;
  readonly liquidationFeeBps: RateBps;
  readonly marginBufferUsdcUnits: UsdcUnits;
  readonly marginBufferUsdPips: UsdPips;
}

/** Fees so far. Pips rounded up, and the total is the sum of the pips shown. */
export interface OpenFeeFigures {
  readonly lifetimeFeeAprBps: RateBps;
  readonly accruedLifetimeFeeUsdcUnits: UsdcUnits;
  readonly accruedLifetimeFeeUsdPips: UsdPips;
  readonly pendingLifetimeFeeUsdcUnits: UsdcUnits;
  readonly pendingLifetimeFeeUsdPips: UsdPips;
  readonly accruedVenueFeeUsdcUnits: UsdcUnits;
  readonly accruedVenueFeeUsdPips: UsdPips;
  readonly totalFeesUsdcUnits: UsdcUnits;
  readonly totalFeesUsdPips: UsdPips;
}

/** Result of a finished position. */
export interface ResultFigures {
  readonly proceedsUsdcUnits: UsdcUnits;
  readonly proceedsUsdPips: UsdPips;
  readonly realizedPnlUsdcUnits: UsdcUnits;
  readonly realizedPnlUsdPips: UsdPips;
  readonly netRealizedPnlUsdcUnits: UsdcUnits;
  readonly netRealizedPnlUsdPips: UsdPips;
  readonly netRealizedPnlBps: RateBps;
  readonly collectedLifetimeFeeUsdcUnits: UsdcUnits;
  readonly collectedLifetimeFeeUsdPips: UsdPips;
  readonly collectedLiquidationFeeUsdcUnits: UsdcUnits;
  readonly collectedLiquidationFeeUsdPips: UsdPips;
}

/** Fees of a whole life. Pips rounded up, and the total is the sum of the pips shown. */
export interface ClosedFeeFigures {
  readonly lifetimeFeeAprBps: RateBps;
  readonly totalLifetimeFeeUsdcUnits: UsdcUnits;
  readonly totalLifetimeFeeUsdPips: UsdPips;
  readonly totalVenueFeeUsdcUnits: UsdcUnits;
  readonly totalVenueFeeUsdPips: UsdPips;
  readonly totalFeesUsdcUnits: UsdcUnits;
  readonly totalFeesUsdPips: UsdPips;
}

/** Every computed figure of an open-type position (specification, Position; DEFINITIONS 4). */
export interface OpenFigures {
  readonly kind: 'open';
  readonly status: ActiveStatus;
  readonly effectiveLeverageBps: LeverageBps;
  readonly entry: EntryFigures;
  readonly current: CurrentFigures;
  readonly risk: RiskFigures;
  readonly fees: OpenFeeFigures;
}

/** Every computed figure of a closed-type position (specification, Position; DEFINITIONS 5). */
export interface ClosedFigures {
  readonly kind: 'closed';
  readonly status: InactiveStatus;
  readonly closeReason: CloseReason;
  readonly effectiveLeverageBps: LeverageBps;
  readonly entry: EntryFigures;
  readonly result: ResultFigures;
  readonly fees: ClosedFeeFigures;
}

export type PositionFigures = OpenFigures | ClosedFigures;
