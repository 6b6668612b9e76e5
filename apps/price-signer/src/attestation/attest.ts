import { decideAttestation, type MarketSnapshot, type Side, sideOf } from '@core/policy';
import {
  type AttestationAnswer,
  type AttestationRequest,
  type PriceAttestation,
  purposeOf,
  signPriceAttestation,
} from '@core/vault';
import { momentRefusalOf } from './momentRefusal.ts';
import { type AttestorParts, observeRequest, refused } from './observeRequest.ts';

/** One attestation: observes, asks the policy, signs. */
export async function attest(parts: AttestorParts, request: AttestationRequest): Promise<AttestationAnswer> {
  const observed = await observeRequest(parts, request);
  if (observed.kind === 'refused') return observed;
  const { position, snapshot, decision, config } = observed;
  const terms = decideAttestation(snapshot, decision, config);
  if (terms.kind === 'refused') return refused(terms.reason);
  const attestation: PriceAttestation = {
    marketId: position.conditionId,
    tokenId: position.tokenId,
    purpose: purposeOf(request.purpose),
    markPips: terms.markPricePips,
    limitPips: terms.limitPricePips,
    triggerPips: terms.triggerPricePips,
    venueFeeBps: terms.venueFeeBps,
    exitBufferBps: terms.exitBufferBps,
    observedAt: observedAtOf(snapshot, decision.side, position.blockTimeMs),
  };
  const refusal = momentRefusalOf(attestation.observedAt, observed);
  if (refusal !== null) return refused(refusal);
  const domain = { chainId: parts.chainId, vault: parts.contracts.vault };
  return { kind: 'signed', attestation, ...signPriceAttestation(parts.key, attestation, domain) };
}

/** When the book was last confirmed, in whole Unix seconds, and never after the latest block. */
function observedAtOf(snapshot: MarketSnapshot, side: Side, blockTimeMs: number): bigint {
  const confirmedAtMs = snapshot.nowMs - (sideOf(snapshot, side).bookAgeMs ?? 0);
  return BigInt(Math.floor(Math.min(confirmedAtMs, blockTimeMs) / 1000));
}
