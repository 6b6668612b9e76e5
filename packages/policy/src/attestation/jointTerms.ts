import { max, min, type PricePips, type RateBps } from '@core/pricing';
import type { AttestationTerms, AttestedPurpose } from './attestationTerms.ts';

type Terms = Omit<AttestationTerms, 'kind'>;

/**
 * The terms that are as careful as each of two: of an opening the lower mark and the lower limit, of a sale the higher
 * mark, limit and trigger. The fee's share goes with the price it was computed at. Joined in any order, any number of
 * times, they are the same.
 */
export function jointTermsOf(purpose: AttestedPurpose, left: Terms, right: Terms): Terms {
  // Decision: apps/price-signer/DECISIONS.md#signers-agree-on-the-more-careful-terms-not-on-the-middle
  const careful = purpose === 'open' ? min<PricePips> : max<PricePips>;
  const feePriceOf = ({ markPricePips, limitPricePips }: Terms) =>
    purpose === 'open' ? markPricePips : limitPricePips;
  const feePrice = careful(feePriceOf(left), feePriceOf(right));
  const fees = [left, right].flatMap((terms) => (feePriceOf(terms) === feePrice ? [terms.venueFeeBps] : []));
  return {
    markPricePips: careful(left.markPricePips, right.markPricePips),
    limitPricePips: careful(left.limitPricePips, right.limitPricePips),
    triggerPricePips: max(left.triggerPricePips, right.triggerPricePips),
    venueFeeBps: fees.reduce(max<RateBps>),
    exitBufferBps: max(left.exitBufferBps, right.exitBufferBps),
  };
}
