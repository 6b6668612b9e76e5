import { compare, type PricePips, raw, venueFeeShareBpsOf, walkAsksByTokens, walkBids } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { type MarketSnapshot, sideOf } from '../market/marketSnapshot.ts';
import {
  type AttestationRefusalReason,
  type AttestationRequest,
  type AttestationTerms,
  decideAttestation,
} from './decideAttestation.ts';

/** What a co-signer's own view says against the terms of another signer. */
type DisagreementReason =
  | 'mark_disagrees'
  | 'limit_disagrees'
  | 'limit_out_of_reach'
  | 'trigger_disagrees'
  | 'venue_fee_disagrees'
  | 'exit_buffer_disagrees';

/** Why a co-signer does not sign: its own refusal of the request, or what it sees otherwise. */
export type CountersignatureRefusalReason = AttestationRefusalReason | DisagreementReason;

export type CountersignatureDecision =
  | { readonly kind: 'agreed' }
  | { readonly kind: 'refused'; readonly reason: CountersignatureRefusalReason };

/** How much less careful than its own a co-signer lets marks and triggers be: a hundredth. */
const toleranceDivisor = 100n;

/**
 * Whether a co-signer puts its name under the terms of another. It would have to sign the same request itself, so every
 * reason to refuse that one refuses this one. Beyond that the terms may be more careful than its own but not less: a
 * mark may err by a tick or a hundredth, a limit by a tick, a trigger by a hundredth, and a sale below the debt needs
 * a hard exit in its own view too. More careful terms do no harm, as long as its own book gives the limit: so signers
 * whose feeds follow a moving price at a distance of moments agree on what the more careful of them says, and none of
 * them need wait for the averages of the others.
 */
export function decideCountersignature(
  snapshot: MarketSnapshot,
  { request, proposed }: { readonly request: AttestationRequest; readonly proposed: Omit<AttestationTerms, 'kind'> },
  config: PolicyConfig = policyDefaults,
): CountersignatureDecision {
  const own = decideAttestation(snapshot, request, config);
  if (own.kind === 'refused') return own;
  const reason = disagreementOf({ snapshot, request, proposed, own });
  return reason === null ? { kind: 'agreed' } : { kind: 'refused', reason };
}

interface Compared {
  readonly snapshot: MarketSnapshot;
  readonly request: AttestationRequest;
  readonly proposed: Omit<AttestationTerms, 'kind'>;
  readonly own: AttestationTerms;
}

function disagreementOf(compared: Compared): DisagreementReason | null {
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
  if (!isInReach(compared)) return 'limit_out_of_reach';
  if (!isTriggerAgreed(proposed.triggerPricePips, compared)) return 'trigger_disagrees';
  if (compare(proposed.exitBufferBps, own.exitBufferBps) !== 0) return 'exit_buffer_disagrees';
  const schedule = snapshot.facts.venueFee;
  const feePrice = isOpening ? proposed.markPricePips : proposed.limitPricePips;
  const isFeeRight =
    schedule !== null &&
    isProbability(feePrice) &&
    compare(venueFeeShareBpsOf({ pricePips: feePrice, schedule }), proposed.venueFeeBps) === 0;
  return isFeeRight ? null : 'venue_fee_disagrees';
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

/** Trigger 0 sells below the debt, so it takes two to see the hard exit; other purposes have none. */
function isTriggerAgreed(proposed: PricePips, { request, own }: Compared): boolean {
  if (request.purpose !== 'unwind') return raw(proposed) === 0n;
  if (raw(proposed) === 0n) return raw(own.triggerPricePips) === 0n;
  return raw(proposed) + raw(proposed) / toleranceDivisor >= raw(own.triggerPricePips);
}

/** A price that a fee can be computed for. */
function isProbability(price: PricePips): boolean {
  return raw(price) > 0n && raw(price) <= 10_000n;
}
