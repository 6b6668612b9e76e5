import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import type { PartnerFees, PartnerLimits, PartnerTerms } from './partnerTerms.ts';

/** What a partner's row may override; everything left out is the environment's. */
export type PartnerOverrides = Partial<Omit<PartnerTerms, 'fees' | 'limits'>> & {
  readonly fees?: Partial<PartnerFees>;
  readonly limits?: Partial<PartnerLimits>;
};

/** Terms of a partner: the environment's numbers with the partner's own laid over them. */
export function partnerTermsOf(overrides: PartnerOverrides = {}, config: PolicyConfig = policyDefaults): PartnerTerms {
  return {
    minCollateralUsdPips: config.quote.minCollateralUsdPips,
    minNotionalUsdPips: config.quote.minNotionalUsdPips,
    maxLeverageBps: config.quote.maxLeverageBps,
    riskMode: 'adaptive',
    ...overrides,
    fees: { ...config.fees, ...overrides.fees },
    limits: { ...config.limits.partner, ...overrides.limits },
  };
}
