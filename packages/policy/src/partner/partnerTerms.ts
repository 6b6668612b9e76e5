import type { RiskMode as PositionRiskMode } from '@core/position';
import type { LeverageBps, UsdPips } from '@core/pricing';
import type { PartnerFees, PartnerLimits } from '../config.ts';

export type RiskMode = PositionRiskMode;

/** Terms of one partner in one environment: fees, minimums, caps, risk mode. */
export interface PartnerTerms {
  readonly fees: PartnerFees;
  readonly minCollateralUsdPips: UsdPips;
  readonly minNotionalUsdPips: UsdPips;
  /** Configured ceiling of leverage, at most 100000. */
  readonly maxLeverageBps: LeverageBps;
  readonly riskMode: RiskMode;
  readonly limits: PartnerLimits;
}
