import { compare, type FeeSchedule, type RateBps } from '@core/pricing';
import type { PartnerFees } from '../config.ts';
import type { PartnerTerms } from './partnerTerms.ts';

/** Limits of the vault on a quote. Read from the chain (definitions 3), never configured. */
export interface ContractTerms {
  /** Cap on the combined origination fee. */
  readonly maxOriginationFeeBps: RateBps;
}

/** Return the fees of a partner's users under the cap of the vault; the venue's part comes with the market. */
export function chargedFeesOf(fees: PartnerFees, contract: ContractTerms): Omit<FeeSchedule, 'venue'> {
  return { ...fees, contractMaxOriginationFeeBps: contract.maxOriginationFeeBps };
}

/**
 * True when the vault leaves room for the partner's own origination fee. Where protocol and partner together pass the
 * cap, the protocol's part gives way; the partner's never does.
 */
export function isPartnerFeeAllowed({ fees }: Pick<PartnerTerms, 'fees'>, contract: ContractTerms): boolean {
  return compare(fees.partnerOriginationFeeBps, contract.maxOriginationFeeBps) <= 0;
}
