import { type MarketSnapshot, sideOf } from '@core/market';
import { compare, type PricePips, raw, venueFeeShareBpsOf, walkAsksByTokens, walkBids } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import type { AttestationRefusalReason, AttestationRequest, AttestationTerms } from './attestationTerms.ts';
import { decideAttestation } from './decideAttestation.ts';
import { unwindFeeBpsOf } from './unwindTerms.ts';

/** Differences between a co-signer's own view and the terms of another signer. */
export type DisagreementReason =
  | 'mark_disagrees'
  | 'limit_disagrees'
  | 'limit_out_of_reach'
  | 'trigger_disagrees'
  | 'venue_fee_disagrees'
  | 'exit_buffer_disagrees';

/**
 * Causes for which a co-signer does not sign: its own refusal of the request, or a difference between the two views.
 */
export type CountersignatureRefusalReason = AttestationRefusalReason | DisagreementReason;

export type CountersignatureDecision =
  | { readonly kind: 'agreed' }
  | { readonly kind: 'refused'; readonly reason: CountersignatureRefusalReason };

/** Divisor of the tolerance for marks and triggers less careful than the co-signer's own: a hundredth. */
const toleranceDivisor = 100n;

/**
 * Decide whether a co-signer signs the terms of another. It would have to sign the same request itself, so every reason
 * to refuse that one refuses this one. Beyond that the terms may be more careful than its own but not less. A mark may
 * err by a tick or a hundredth, a limit by a tick, a trigger by a hundredth. A sale below the debt needs trigger 0 in
 * its own view too. More careful terms do no harm, as long as its own book gives the limit. Signers whose feeds follow
 * a moving price some moments apart therefore agree on the more careful terms, and none waits for the averages of the
 * others.
 */
export function decideCountersignature(
  snapshot: MarketSnapshot,
  { request, proposed }: { readonly request: AttestationRequest; readonly proposed: Omit<AttestationTerms, 'kind'> },
  config: PolicyConfig = policyDefaults,
): CountersignatureDecision {
  const own = decideAttestation(snapshot, request, config);
  if (own.kind === 'refused') return own;
  const reason = disagreementOf({ snapshot, request, proposed, own }, isInReach);
  return reason === null ? { kind: 'agreed' } : { kind: 'refused', reason };
}

/** The two views that a co-signer compares. */
export interface Compared {
  readonly snapshot: MarketSnapshot;
  readonly request: AttestationRequest;
  readonly proposed: Omit<AttestationTerms, 'kind'>;
  readonly own: AttestationTerms;
}

/** Return the first difference between the terms of another signer and the own ones; null when they agree. */
export function disagreementOf(
  compared: Compared,
  isReachable: (compared: Compared) => boolean,
): DisagreementReason | null {
  const { snapshot, request, proposed, own } = compared;
  const tick = raw(snapshot.facts.tickPricePips);
  const isOpening = request.purpose === 'open';
  // By how much the other's price is worse for the position and the pool: too high for a buyer, too low for a seller.
  const worseBy = (theirs: PricePips, ours: PricePips) =>
    isOpening ? raw(theirs) - raw(ours) : raw(ours) - raw(theirs);
  const hundredth = raw(proposed.markPricePips) / toleranceDivisor;
  const markTolerance = hundredth > tick ? hundredth : tick;
  if (worseBy(proposed.markPricePips, own.markPricePips) > markTolerance) return 'mark_disagrees';
  if (worseBy(proposed.limitPricePips, own.limitPricePips) > tick) return 'limit_disagrees';
  if (!isReachable(compared)) return 'limit_out_of_reach';
  if (!isTriggerAgreed(proposed.triggerPricePips, compared)) return 'trigger_disagrees';
  if (compare(proposed.exitBufferBps, own.exitBufferBps) !== 0) return 'exit_buffer_disagrees';
  return isFeeRight(compared) ? null : 'venue_fee_disagrees';
}

/** The fee follows from the price it is computed at, of an unwind also from its size and the exchange's maximum. */
function isFeeRight({ snapshot, request, proposed }: Compared): boolean {
  const schedule = snapshot.facts.venueFee;
  const feePrice = request.purpose === 'open' ? proposed.markPricePips : proposed.limitPricePips;
  if (schedule === null || !isProbability(feePrice)) return false;
  const due =
    request.purpose === 'unwind'
      ? unwindFeeBpsOf(request, feePrice, schedule)
      : venueFeeShareBpsOf({ pricePips: feePrice, schedule });
  return compare(due, proposed.venueFeeBps) === 0;
}

/** The co-signer's own book takes the whole size at the limit or better. */
function isInReach({ snapshot, request, proposed }: Compared): boolean {
  const { book } = sideOf(snapshot, request.side);
  if (book === null) return false;
  const { tokenUnits } = request;
  const walked = { tokenUnits, limitPricePips: proposed.limitPricePips };
  const { restTokenUnits } =
    request.purpose === 'open'
      ? walkAsksByTokens({ asks: book.asks, ...walked })
      : walkBids({ bids: book.bids, ...walked });
  return raw(restTokenUnits) === 0n;
}

/** Trigger 0 sells below the debt, so each signer must come to it by its own book; other purposes have none. */
function isTriggerAgreed(proposed: PricePips, { request, own }: Compared): boolean {
  if (request.purpose !== 'unwind') return raw(proposed) === 0n;
  if (raw(proposed) === 0n) return raw(own.triggerPricePips) === 0n;
  return raw(proposed) + raw(proposed) / toleranceDivisor >= raw(own.triggerPricePips);
}

/** A price that a fee can be computed for. */
function isProbability(price: PricePips): boolean {
  return raw(price) > 0n && raw(price) <= 10_000n;
}
