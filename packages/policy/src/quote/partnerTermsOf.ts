import { max, usdPips } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import type { PartnerFees, PartnerLimits, PartnerTerms } from './partnerTerms.ts';

/** What a partner's row may override; everything left out is the environment's. */
export type PartnerOverrides = Partial<Omit<PartnerTerms, 'fees' | 'limits'>> & {
  readonly fees?: Partial<PartnerFees>;
  readonly limits?: Partial<PartnerLimits>;
};

/** Below these no minimum is set, whatever a partner's row says (definitions 3). */
const leastMinCollateralUsdPips = usdPips(10_000n);
const leastMinNotionalUsdPips = usdPips(50_000n);

/** Terms of a partner: the environment's numbers with the partner's own laid over them. */
export function partnerTermsOf(overrides: PartnerOverrides = {}, config: PolicyConfig = policyDefaults): PartnerTerms {
  return {
    maxLeverageBps: config.quote.maxLeverageBps,
    riskMode: 'adaptive',
    ...overrides,
    minCollateralUsdPips: max(
      leastMinCollateralUsdPips,
      overrides.minCollateralUsdPips ?? config.quote.minCollateralUsdPips,
    ),
    minNotionalUsdPips: max(leastMinNotionalUsdPips, overrides.minNotionalUsdPips ?? config.quote.minNotionalUsdPips),
    fees: { ...config.fees, ...overrides.fees },
    limits: { ...config.limits.partner, ...overrides.limits },
  };
}
