import { max, usdPips } from '@core/pricing';
import type { PartnerFees, PartnerLimits, PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import type { PartnerTerms } from './partnerTerms.ts';

/** Fields a partner's row may override; all others come from the environment. */
export type PartnerOverrides = Partial<Omit<PartnerTerms, 'fees' | 'limits'>> & {
  readonly fees?: Partial<PartnerFees>;
  readonly limits?: Partial<PartnerLimits>;
};

/** Below these no minimum is set, whatever a partner's row says (specification, Limits; definitions 3). */
const absoluteMinCollateralUsdPips = usdPips(10_000n);
const absoluteMinNotionalUsdPips = usdPips(50_000n);

/** Terms of a partner: the environment's numbers with the partner's own laid over them. */
export function partnerTermsOf(overrides: PartnerOverrides = {}, config: PolicyConfig = policyDefaults): PartnerTerms {
  return {
    maxLeverageBps: config.quote.maxLeverageBps,
    riskMode: 'adaptive',
    ...overrides,
    // Minimums may be raised for a partner, never lowered below what the vault takes.
    minCollateralUsdPips: max(
      absoluteMinCollateralUsdPips,
      overrides.minCollateralUsdPips ?? config.quote.minCollateralUsdPips,
    ),
    minNotionalUsdPips: max(
      absoluteMinNotionalUsdPips,
      overrides.minNotionalUsdPips ?? config.quote.minNotionalUsdPips,
    ),
    fees: { ...config.fees, ...overrides.fees },
    limits: { ...config.limits.partner, ...overrides.limits },
  };
}
