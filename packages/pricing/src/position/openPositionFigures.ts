import type { LeverageBps, PricePips, RateBps, TokenUnits, UsdcUnits, UsdPips } from '../units/quantity.ts';

/** What the quote promised; never changes. */
export interface PositionTerms {
  readonly leverageBps: LeverageBps;
  readonly collateralUsdcUnits: UsdcUnits;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly entryPricePips: PricePips;
  /** Tokens the quote expected. */
  readonly positionTokenUnits: TokenUnits;
  readonly originationFeeUsdcUnits: UsdcUnits;
  readonly lifetimeFeeAprBps: RateBps;
  readonly liquidationFeeBps: RateBps;
  readonly exitBufferBps: RateBps;
}

/** What the opening delivered; recorded once, by the `finalize` that opens. */
export interface OpeningFill {
  /** S: spent on tokens, without fees. */
  readonly spentUsdcUnits: UsdcUnits;
  /** T0. */
  readonly deliveredTokenUnits: TokenUnits;
  /** True when the whole order was filled, though sizes in hundredths of a token leave up to a cent unspent. */
  readonly isComplete: boolean;
  /** Mark at `opened_at`, where health is 10,000. */
  readonly markPricePips: PricePips;
}

/**
 * Ledger of a position now. A partial close of a share φ scales principal, collateral, pending fee, origination and
 * venue fees by 1 − φ; an unwind changes principal, tokens, venue and pending fees only; added margin moves
 * principal to collateral (DEFINITIONS 4).
 */
export interface PositionLedger {
  /** T. */
  readonly tokenUnits: TokenUnits;
  /** P. */
  readonly principalUsdcUnits: UsdcUnits;
  /** C: collateral basis. */
  readonly collateralUsdcUnits: UsdcUnits;
  /** d: lifetime fees accrued before the last change of principal and not collected. */
  readonly pendingLifetimeFeeUsdcUnits: UsdcUnits;
  /** o: origination fee kept. */
  readonly originationFeeUsdcUnits: UsdcUnits;
  /** v of the opening: venue and partner fee kept. */
  readonly openTradingFeeUsdcUnits: UsdcUnits;
  /** v of sales so far. */
  readonly saleTradingFeeUsdcUnits: UsdcUnits;
}

/** One open-type position and the moment it is valued at. */
export interface OpenPosition {
  readonly terms: PositionTerms;
  /** Null while pending: figures are then those of the quote and every PnL is 0. */
  readonly fill: OpeningFill | null;
  /** Ignored while pending. */
  readonly ledger: PositionLedger | null;
  /** Structural leverage: that of the entry, or after the last completed unwind. */
  readonly structuralLeverageBps: LeverageBps;
  /** Seconds since the last change of principal, whole. */
  readonly elapsedSeconds: number;
  readonly markPricePips: PricePips;
}

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

/** Every computed figure of an open-type position (specification, Position; DEFINITIONS 4). */
export interface OpenPositionFigures {
  readonly entry: EntryFigures;
  readonly current: CurrentFigures;
  readonly risk: RiskFigures;
  readonly fees: OpenFeeFigures;
}
