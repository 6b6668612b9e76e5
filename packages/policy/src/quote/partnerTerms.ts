import type { FeeSchedule, LeverageBps, UsdcUnits, UsdPips } from '@core/pricing';

export type RiskMode = 'adaptive' | 'committed';

/** Caps that may differ per partner; defaults stand in `policyDefaults.limits`. */
export interface PartnerLimits {
  readonly userNotionalUsdPips: UsdPips;
  readonly sideNotionalUsdPips: UsdPips;
  readonly marketNotionalUsdPips: UsdPips;
  readonly partnerNotionalUsdPips: UsdPips;
  readonly globalNotionalUsdPips: UsdPips;
  readonly userBorrowUsdcUnits: UsdcUnits;
  readonly sideBorrowUsdcUnits: UsdcUnits;
  readonly marketBorrowUsdcUnits: UsdcUnits;
  /** Ceiling of the protocol's total lending; the pool's own free liquidity binds beside it. */
  readonly totalBorrowUsdcUnits: UsdcUnits;
}

/** What a partner's users are charged; the venue's part comes with the market, the cap with the chain. */
export type PartnerFees = Omit<FeeSchedule, 'venue' | 'contractMaxOriginationFeeBps'>;

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
