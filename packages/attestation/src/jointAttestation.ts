import { type AttestationTerms, jointTermsOf } from '@core/policy';
import { compare } from '@core/pricing';
import { type PriceAttestation, purposeNameOf } from '@core/vault';
import type { AttestedPurpose } from './attestationRequest.ts';

/** Return the policy's part of an attestation. */
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
 * Return the purpose that two attestations share; null for another market, token or purpose, or another exit buffer,
 * which signers of one service share.
 */
export function sharedPurposeOf(left: PriceAttestation, right: PriceAttestation): AttestedPurpose | null {
  const { marketId, tokenId, purpose, exitBufferBps } = left;
  const isSameOrder = right.marketId === marketId && right.tokenId === tokenId && right.purpose === purpose;
  if (!isSameOrder || compare(right.exitBufferBps, exitBufferBps) !== 0) return null;
  const purposeName = purposeNameOf(purpose);
  return purposeName === 'none' ? null : purposeName;
}

/** Return the prices of joint terms, and the time of the older of two attestations. */
export function jointFieldsOf(terms: Omit<AttestationTerms, 'kind'>, left: PriceAttestation, right: PriceAttestation) {
  return {
    markPips: terms.markPricePips,
    limitPips: terms.limitPricePips,
    triggerPips: terms.triggerPricePips,
    venueFeeBps: terms.venueFeeBps,
    observedAt: left.observedAt < right.observedAt ? left.observedAt : right.observedAt,
  };
}

/**
 * Combine two attestations for the same order into one that is as strict as each and as old as the older one.
 *
 * @returns null where `sharedPurposeOf` is null.
 */
export function jointAttestationOf(left: PriceAttestation, right: PriceAttestation): PriceAttestation | null {
  const purpose = sharedPurposeOf(left, right);
  if (purpose === null) return null;
  const terms = jointTermsOf(purpose, attestedTermsOf(left), attestedTermsOf(right));
  return { ...left, ...jointFieldsOf(terms, left, right) };
}
