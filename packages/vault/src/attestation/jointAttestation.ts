import { type AttestationTerms, jointTermsOf } from '@core/policy';
import { compare } from '@core/pricing';
import { purposeNameOf } from '../position/enumNames.ts';
import type { PriceAttestation } from './priceAttestation.ts';

/** The policy's part of an attestation. */
export function attestedTermsOf(attestation: PriceAttestation): Omit<AttestationTerms, 'kind'> {
  return {
    markPricePips: attestation.markPips,
    limitPricePips: attestation.limitPips,
    triggerPricePips: attestation.triggerPips,
    venueFeeBps: attestation.venueFeeBps,
    exitBufferBps: attestation.exitBufferBps,
  };
}

/**
 * One attestation as careful as each of two for the same order, observed when the older of them was. Null when they are
 * for another market, token or purpose, or rest on another exit buffer: no two signers of one service differ in that.
 */
export function jointAttestationOf(left: PriceAttestation, right: PriceAttestation): PriceAttestation | null {
  const { marketId, tokenId, purpose, exitBufferBps } = left;
  const isSameOrder = right.marketId === marketId && right.tokenId === tokenId && right.purpose === purpose;
  if (!isSameOrder || compare(right.exitBufferBps, exitBufferBps) !== 0) return null;
  const purposeName = purposeNameOf(purpose);
  if (purposeName === 'none') return null;
  const terms = jointTermsOf(purposeName, attestedTermsOf(left), attestedTermsOf(right));
  return {
    marketId,
    tokenId,
    purpose,
    markPips: terms.markPricePips,
    limitPips: terms.limitPricePips,
    triggerPips: terms.triggerPricePips,
    venueFeeBps: terms.venueFeeBps,
    exitBufferBps,
    observedAt: left.observedAt < right.observedAt ? left.observedAt : right.observedAt,
  };
}
