import type { FiguresOf, LeverageBps, UsdcUnits, UsdPips } from '@core/pricing';
import type { ActiveStatus, CloseReason, InactiveStatus } from '../states/transitions.ts';
import type {
  closedFeeFigures,
  currentFigures,
  entryFigures,
  openFeeFigures,
  resultFigures,
  riskFigures,
} from './figureTables.ts';

/** Figures of the opening, net of the refund of a partial fill. Null until the fill is recorded. */
export interface EntryFigures extends FiguresOf<typeof entryFigures> {
  readonly collateralUsdcUnits: UsdcUnits;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly originationFeeUsdcUnits: UsdcUnits;
  readonly originationFeeUsdPips: UsdPips;
  /** Milliseconds from the creation to the recorded fill. */
  readonly openLatencyMs: number | null;
}

/** Live figures at the mark. */
export interface CurrentFigures extends FiguresOf<typeof currentFigures> {
  readonly notionalUsdcUnits: UsdcUnits;
  readonly collateralUsdcUnits: UsdcUnits;
  readonly effectiveCollateralUsdcUnits: UsdcUnits;
  readonly unrealizedPnlUsdcUnits: UsdcUnits;
  readonly netUnrealizedPnlUsdcUnits: UsdcUnits;
  readonly positionValueUsdcUnits: UsdcUnits;
}

/** Distance from liquidation. */
export interface RiskFigures extends FiguresOf<typeof riskFigures> {
  readonly liquidationThresholdUsdcUnits: UsdcUnits;
  readonly marginBufferUsdcUnits: UsdcUnits;
}

/** Fees of an active position. Pips are rounded up, and the total is the sum of the displayed pips. */
export interface OpenFeeFigures extends FiguresOf<typeof openFeeFigures> {
  readonly accruedLifetimeFeeUsdcUnits: UsdcUnits;
  readonly pendingLifetimeFeeUsdcUnits: UsdcUnits;
  readonly accruedVenueFeeUsdcUnits: UsdcUnits;
  readonly totalFeesUsdcUnits: UsdcUnits;
}

/** Result of a finished position. */
export interface ResultFigures extends FiguresOf<typeof resultFigures> {
  readonly proceedsUsdcUnits: UsdcUnits;
  readonly realizedPnlUsdcUnits: UsdcUnits;
  readonly netRealizedPnlUsdcUnits: UsdcUnits;
  readonly collectedLifetimeFeeUsdcUnits: UsdcUnits;
  readonly collectedLiquidationFeeUsdcUnits: UsdcUnits;
}

/** Fees of a finished position. Pips are rounded up, and the total is the sum of the displayed pips. */
export interface ClosedFeeFigures extends FiguresOf<typeof closedFeeFigures> {
  readonly totalLifetimeFeeUsdcUnits: UsdcUnits;
  readonly totalVenueFeeUsdcUnits: UsdcUnits;
  readonly totalFeesUsdcUnits: UsdcUnits;
}

/** Figures of an open-type position that follow the mark and the time. */
export interface OpenMomentFigures {
  readonly current: CurrentFigures;
  readonly risk: RiskFigures;
  readonly fees: OpenFeeFigures;
}

/** Every computed figure of an open-type position (specification, Position; DEFINITIONS 4). */
export interface OpenFigures extends OpenMomentFigures {
  readonly kind: 'open';
  readonly status: ActiveStatus;
  readonly effectiveLeverageBps: LeverageBps;
  readonly entry: EntryFigures;
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
