import type { AttestationAnswer, AttestationRequest } from '@core/attestation';
import { type MarketSnapshot, sideOf } from '@core/market';
import { type AttestationTerms, decideAttestation } from '@core/policy';
import type { Side } from '@core/position';
import { type PriceAttestation, purposeOf, signPriceAttestation } from '@core/vault';
import { type AttestorDependencies, type ObservedRequest, observeRequest, refused } from './observeRequest.ts';
import { timeRefusalOf } from './timeRefusal.ts';

/** One attestation: observes, asks the policy, signs. */
export async function attest(
  dependencies: AttestorDependencies,
  request: AttestationRequest,
): Promise<AttestationAnswer> {
  const observed = await observeRequest(dependencies, request);
  if (observed.kind === 'refused') return observed;
  const { snapshot, decision, config } = observed;
  const terms = decideAttestation(snapshot, decision, config);
  if (terms.kind === 'refused') return refused(terms.reason);
  const attestation = attestationOf(observed, terms);
  const refusal = timeRefusalOf(attestation.observedAt, observed);
  if (refusal !== null) return refused(refusal);
  const domain = { chainId: dependencies.chainId, vault: dependencies.contracts.vault };
  return { kind: 'signed', attestation, ...(await signPriceAttestation(dependencies.key, attestation, domain)) };
}

/** Return the attestation of decided terms, as of the observation. */
export function attestationOf(
  {
    position,
    snapshot,
    decision,
  }: Pick<ObservedRequest, 'position' | 'snapshot'> & {
    readonly decision: Pick<ObservedRequest['decision'], 'purpose' | 'side'>;
  },
  terms: Omit<AttestationTerms, 'kind'>,
): PriceAttestation {
  return {
    marketId: position.conditionId,
    tokenId: position.tokenId,
    purpose: purposeOf(decision.purpose),
    markPips: terms.markPricePips,
    limitPips: terms.limitPricePips,
    triggerPips: terms.triggerPricePips,
    venueFeeBps: terms.venueFeeBps,
    exitBufferBps: terms.exitBufferBps,
    observedAt: observedAtOf(snapshot, decision.side, position.blockTimeMs),
  };
}

/** Return the time at which the book was last confirmed, in whole Unix seconds, and never after the latest block. */
export function observedAtOf(snapshot: MarketSnapshot, side: Side, blockTimeMs: number): bigint {
  const confirmedAtMs = snapshot.nowMs - (sideOf(snapshot, side).bookAgeMs ?? 0);
  return BigInt(Math.floor(Math.min(confirmedAtMs, blockTimeMs) / 1000));
}
