import {
  type AttestationRequest as DecisionRequest,
  decideAttestation,
  type MarketSnapshot,
  type PolicyConfig,
  type Side,
  sideOf,
} from '@core/policy';
import { bestBidOf, compare, isZero, subtract, valueOf } from '@core/pricing';
import { type PriceAttestation, type SigningKey, signPriceAttestation, type VaultDomain } from '@core/vault';
import { type Clock, isVenueFault, type MarketWatch } from '@core/venue';
import type { Address, PublicClient } from 'viem';
import { type AttestationRequest, purposeWords } from './attestationRequest.ts';
import type { AttestationAnswer, AttestationRefusal } from './attestationServer.ts';
import type { MidHistory } from './midHistory.ts';
import { type ObservedPosition, observePosition } from './observePosition.ts';
import { positionRefusalOf } from './positionRefusal.ts';

/** Everything the signer looks at and signs with. */
export interface AttestorParts {
  readonly client: PublicClient;
  readonly domain: VaultDomain;
  readonly conditionalTokens: Address;
  readonly key: SigningKey;
  readonly watch: MarketWatch;
  readonly mids: MidHistory;
  readonly clock: Clock;
  readonly config: PolicyConfig;
}

/**
 * One attestation: reads the position from the chain, the market from the signer's own feed, asks the policy, signs.
 * Nothing in the request is believed but its size, and that is bounded by what the position can use.
 */
export async function attest(parts: AttestorParts, request: AttestationRequest): Promise<AttestationAnswer> {
  const position = await observePosition({
    client: parts.client,
    vault: parts.domain.vault,
    conditionalTokens: parts.conditionalTokens,
    positionKey: request.positionKey,
  });
  const refusal = positionRefusalOf(position, request);
  if (refusal !== null) return refused(refusal);
  if (request.purpose === 'liquidate') await readSecondSource(parts, position);

  const snapshot = parts.watch.snapshotOf(position.marketId);
  const side = snapshot === null ? null : sideOfToken(snapshot, position.tokenId);
  if (snapshot === null || side === null) return refused('market_unknown');
  if (request.purpose === 'open' && !isOpeningSizeDue(position, request, sideOf(snapshot, side))) {
    return refused('size_out_of_range');
  }
  const terms = decideAttestation(snapshot, decisionRequestOf(parts, { position, request, side }), parts.config);
  if (terms.kind === 'refused') return refused(terms.reason);

  const attestation: PriceAttestation = {
    marketId: position.marketId,
    tokenId: position.tokenId,
    purpose: purposeWords[request.purpose],
    markPips: terms.markPricePips,
    limitPips: terms.limitPricePips,
    triggerPips: terms.triggerPricePips,
    venueFeeBps: terms.venueFeeBps,
    exitBufferBps: terms.exitBufferBps,
    observedAt: observedAtOf(snapshot, side, position.blockTimeSeconds),
  };
  return { kind: 'signed', attestation, ...signPriceAttestation(parts.key, attestation, parts.domain) };
}

function refused(code: string): AttestationRefusal {
  return { kind: 'refused', code };
}

/** A liquidation may rest on the venue's REST book, read now. Without an answer the mid must have been seen twice. */
async function readSecondSource(parts: AttestorParts, position: ObservedPosition): Promise<void> {
  try {
    await parts.watch.refresh(position.marketId);
  } catch (error) {
    if (!isVenueFault(error)) throw error;
  }
}

function sideOfToken(snapshot: MarketSnapshot, tokenId: bigint): Side | null {
  if (snapshot.facts.yesTokenId === tokenId.toString()) return 'yes';
  return snapshot.facts.noTokenId === tokenId.toString() ? 'no' : null;
}

/**
 * An opening may not be attested for more tokens than what is left of the notional could buy: a deeper walk of the
 * asks would allow a worse limit. At the best bid, below every ask, no honest size is refused.
 */
function isOpeningSizeDue(
  position: ObservedPosition,
  request: AttestationRequest,
  token: ReturnType<typeof sideOf>,
): boolean {
  const bestBid = token.book === null ? null : bestBidOf(token.book);
  // A book without bids has no price at all, which the policy says in its own words.
  if (bestBid === null) return true;
  const due = subtract(position.notionalUsdcUnits, position.filledUsdcUnits);
  return compare(valueOf(request.size, bestBid, 'down'), due) <= 0;
}

function decisionRequestOf(
  parts: AttestorParts,
  observed: { readonly position: ObservedPosition; readonly request: AttestationRequest; readonly side: Side },
): DecisionRequest {
  const { position, request, side } = observed;
  const held = {
    tokenUnits: position.heldTokenUnits,
    debtUsdcUnits: position.debtUsdcUnits,
    liquidationPricePips: position.liquidationPricePips,
    plannedTriggerPricePips: null,
  };
  return {
    purpose: request.purpose,
    side,
    tokenUnits: request.size,
    position: isZero(position.heldTokenUnits) ? null : held,
    earlierMid: parts.mids.sightingBefore(position.tokenId.toString(), {
      nowMs: parts.clock.nowMs(),
      minAgeMs: parts.config.attestation.confirmationSpanMs,
    }),
  };
}

/** When the book was last confirmed, in whole seconds, and never after the latest block. */
function observedAtOf(snapshot: MarketSnapshot, side: Side, blockTimeSeconds: bigint): bigint {
  const seenAtMs = snapshot.nowMs - (sideOf(snapshot, side).bookAgeMs ?? 0);
  const seenAtSeconds = BigInt(Math.floor(seenAtMs / 1000));
  return seenAtSeconds < blockTimeSeconds ? seenAtSeconds : blockTimeSeconds;
}

/** Keeps the history of mids from the watch's ticks. Returns the way to stop. */
export function followMids(watch: MarketWatch, mids: MidHistory): () => void {
  return watch.onTick(({ tokenId, atMs }) => {
    const mark = watch.mark(tokenId);
    if (mark === null || !mark.isAttestable) mids.forget(tokenId);
    else mids.record(tokenId, mark.pricePips, atMs);
  });
}
