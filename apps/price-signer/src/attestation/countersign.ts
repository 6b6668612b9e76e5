import { decideCountersignature } from '@core/policy';
import {
  type AttestationRefusalCode,
  attestedTermsOf,
  type CountersignatureAnswer,
  type CountersignatureRequest,
  type PositionTerms,
  purposeOf,
  signPriceAttestation,
} from '@core/vault';
import { momentRefusalOf } from './momentRefusal.ts';
import { type AttestorParts, observeRequest, refused } from './observeRequest.ts';

/**
 * A signature under terms that are not the signer's own. It observes as for an attestation of its own, and nothing that
 * would keep it from that one is waived for another's.
 */
export async function countersign(
  parts: AttestorParts,
  asked: CountersignatureRequest,
): Promise<CountersignatureAnswer> {
  const { request, attestation } = asked;
  const observed = await observeRequest(parts, request);
  if (observed.kind === 'refused') return observed;
  const { position, snapshot, decision, config } = observed;
  const refusal = placeRefusalOf(position, asked) ?? momentRefusalOf(attestation.observedAt, observed);
  if (refusal !== null) return refused(refusal);
  const proposed = attestedTermsOf(attestation);
  const decided = decideCountersignature(snapshot, { request: decision, proposed }, config);
  if (decided.kind === 'refused') return refused(decided.reason);
  const domain = { chainId: parts.chainId, vault: parts.contracts.vault };
  return { kind: 'signed', signature: signPriceAttestation(parts.key, attestation, domain).signature };
}

/** Why an attestation is not one of this position and purpose; null when it is. */
function placeRefusalOf(
  { conditionId, tokenId }: PositionTerms,
  { request, attestation }: CountersignatureRequest,
): AttestationRefusalCode | null {
  const isOfPosition = attestation.marketId === conditionId && attestation.tokenId === tokenId;
  return isOfPosition && attestation.purpose === purposeOf(request.purpose) ? null : 'attestation_mismatch';
}
