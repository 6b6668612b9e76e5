import {
  type AttestationRefusalCode,
  attestedTermsOf,
  type CountersignatureAnswer,
  type CountersignatureRequest,
} from '@core/attestation';
import { decideCountersignature } from '@core/policy';
import { type PositionTerms, type PriceAttestation, purposeOf, signPriceAttestation } from '@core/vault';
import { type AttestorDependencies, type ConsentRequest, observeRequest, refused } from './observeRequest.ts';
import { timeRefusalOf } from './timeRefusal.ts';

/**
 * Sign terms that another signer proposed. The signer observes as for an attestation of its own, and applies every one
 * of its own rules.
 */
export async function countersign(
  dependencies: AttestorDependencies,
  countersignature: CountersignatureRequest,
): Promise<CountersignatureAnswer> {
  const { request, attestation } = countersignature;
  const observed = await observeRequest(dependencies, request);
  if (observed.kind === 'refused') return observed;
  const { position, snapshot, decision, config } = observed;
  const refusal = mismatchOf(position, countersignature) ?? timeRefusalOf(attestation.observedAt, observed);
  if (refusal !== null) return refused(refusal);
  const proposed = attestedTermsOf(attestation);
  const decided = decideCountersignature(snapshot, { request: decision, proposed }, config);
  if (decided.kind === 'refused') return refused(decided.reason);
  const domain = { chainId: dependencies.chainId, vault: dependencies.contracts.vault };
  const { signature } = await signPriceAttestation(dependencies.key, attestation, domain);
  return { kind: 'signed', signature };
}

/** Return the refusal of an attestation of another market, token or purpose; null when it matches the request. */
export function mismatchOf(
  { conditionId, tokenId }: PositionTerms,
  {
    request,
    attestation,
  }: {
    readonly request: Pick<ConsentRequest, 'purpose'>;
    readonly attestation: Pick<PriceAttestation, 'marketId' | 'tokenId' | 'purpose'>;
  },
): AttestationRefusalCode | null {
  const isOfPosition = attestation.marketId === conditionId && attestation.tokenId === tokenId;
  return isOfPosition && attestation.purpose === purposeOf(request.purpose) ? null : 'attestation_mismatch';
}
