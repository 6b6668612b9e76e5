import { type GrantTerms, jointGrantTermsOf } from '@core/policy';
import type { GrantAttestation } from '@core/vault';
import { attestedTermsOf, jointFieldsOf, sharedPurposeOf } from './jointAttestation.ts';

/** Return the policy's part of a grant's attestation. */
export function grantTermsOf(attestation: GrantAttestation): Omit<GrantTerms, 'kind'> {
  return {
    ...attestedTermsOf(attestation),
    mostUnits: attestation.mostUnits,
    validForSeconds: attestation.validFor,
    notAfterSeconds: Number(attestation.notAfter),
  };
}

/**
 * Combine two attestations for the same grant into one that is as strict as each and as old as the older one.
 *
 * @returns null where `sharedPurposeOf` is null, and for another position, size or path.
 */
export function jointGrantOf(left: GrantAttestation, right: GrantAttestation): GrantAttestation | null {
  const purpose = left.positionKey === right.positionKey ? sharedPurposeOf(left, right) : null;
  const terms = purpose && jointGrantTermsOf(purpose, grantTermsOf(left), grantTermsOf(right));
  if (terms === null) return null;
  const notAfter = left.notAfter < right.notAfter ? left.notAfter : right.notAfter;
  return { ...left, ...jointFieldsOf(terms, left, right), notAfter };
}
