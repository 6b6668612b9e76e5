import { liveMidOf, type MarketSnapshot, type SideSnapshot, sideOf } from '@core/market';
import {
  bestBidOf,
  compare,
  constants,
  midPriceOf,
  type PricePips,
  pricePips,
  raw,
  type VenueFeeSchedule,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { grantKindOf } from '../fill/grantBand.ts';
import { hardExitOf } from '../market/hardExit.ts';
import { isBreakerTripped, openingMarkOf, saleMarkOf } from '../market/marks.ts';
import { riskPhaseOf } from '../market/riskPhase.ts';
import { routes } from '../route/routes.ts';
import { saleLimitOf } from '../unwind/saleLimit.ts';
import {
  type AttestationRefusal,
  type AttestationRequest,
  type AttestationTerms,
  type AttestedPurpose,
  refused,
  termsOf,
} from './attestationTerms.ts';
import { unwindTermsOf, unwindTriggerOf } from './unwindTerms.ts';

const noPrice = pricePips(0n);

/**
 * Decide whether a price may be signed for a purpose, side and size, and return its mark, limit, trigger and fee share.
 * A stale book has no price. A book without asks serves forced sales alone, which need its bids. An opening needs an
 * open market and a fresh average. A sale needs a book that takes the whole size at `mark × (1 − slip)` or better.
 */
export function decideAttestation(
  snapshot: MarketSnapshot,
  request: AttestationRequest,
  config: PolicyConfig = policyDefaults,
): AttestationTerms | AttestationRefusal {
  const token = sideOf(snapshot, request.side);
  const { venueFee } = snapshot.facts;
  if (venueFee === null) return refused('fee_schedule_missing');
  if (!snapshot.facts.isAcceptingOrders || snapshot.facts.isSettlementDetected) return refused('market_not_tradable');
  const bookRefusal = bookRefusalOf(token, request.purpose, config);
  if (bookRefusal !== null) return bookRefusal;
  // Orders below the venue's minimum do not exist there.
  if (compare(request.tokenUnits, constants.minOrderTokenUnits) < 0 && request.purpose !== 'open') {
    return refused('size_too_small');
  }
  const rules = { venueFee, config };
  return request.purpose === 'open' ? decideOpening(snapshot, request, rules) : decideSale(snapshot, request, rules);
}

/** Forced sales need bids alone; what a user opens or closes needs a price with both sides. */
function bookRefusalOf(token: SideSnapshot, purpose: AttestedPurpose, config: PolicyConfig): AttestationRefusal | null {
  if (token.book === null || token.bookAgeMs === null) return refused('book_missing');
  if (token.bookAgeMs > config.ages.maxBookAgeMs) return refused('book_stale');
  const isPriced = isForced(purpose) ? bestBidOf(token.book) !== null : midPriceOf(token.book) !== null;
  return isPriced ? null : refused('book_one_sided');
}

/** True for a sale that the service asks for, not the user. */
export function isForced(purpose: AttestedPurpose): boolean {
  return purpose === 'unwind' || purpose === 'liquidate';
}

interface Rules {
  readonly venueFee: VenueFeeSchedule;
  readonly config: PolicyConfig;
}

function decideOpening(
  snapshot: MarketSnapshot,
  request: AttestationRequest,
  { venueFee, config }: Rules,
): AttestationTerms | AttestationRefusal {
  const { facts } = snapshot;
  const token = sideOf(snapshot, request.side);
  const phase = riskPhaseOf(snapshot, config);
  if (facts.status !== 'active' || facts.disabled !== null || facts.isVenueClosed)
    return refused('market_not_tradable');
  if (phase === null || snapshot.nowMs >= phase.hardExitAtMs) return refused('trading_window_over');
  if (isBreakerTripped(snapshot, token, config)) return refused('breaker_tripped');
  const { twap } = token;
  const sampleAgeMs = twap.lastSampleAgeMs;
  if (sampleAgeMs !== null && sampleAgeMs > config.ages.maxTwapSampleAgeMs) return refused('twap_stale');
  if (twap.pricePips === null || sampleAgeMs === null) return refused('twap_unavailable');
  // The lowest view of the price, because the mark fixes the liquidation price's distance for the life of the position.
  const mark = openingMarkOf(token, config);
  if (mark === null || token.book === null) return refused('book_one_sided');
  const limit = routes[request.route ?? 'direct'].buyLimitOf({
    asks: token.book.asks,
    tokenUnits: request.tokenUnits,
    markPricePips: mark,
    venueFee,
    tickPricePips: facts.tickPricePips,
    config,
  });
  if (limit === null) return refused('book_too_thin');
  return termsOf({ mark, limit, trigger: noPrice, fee: mark }, snapshot, config);
}

function decideSale(
  snapshot: MarketSnapshot,
  request: AttestationRequest,
  { venueFee, config }: Rules,
): AttestationTerms | AttestationRefusal {
  const token = sideOf(snapshot, request.side);
  const { tickPricePips } = snapshot.facts;
  const mark = isForced(request.purpose) ? saleMarkOf(token, { tickPricePips, config }) : liveMidOf(token, config);
  if (mark === null || token.book === null) return refused('book_one_sided');
  if (request.position === null) return refused('position_missing');
  // A liquidation takes a position away, so it alone needs the price seen twice or by two sources.
  if (request.purpose === 'liquidate') {
    const refusal = liquidationRefusalOf(mark, request, { token, config });
    if (refusal !== null) return refusal;
  }
  const hardExit = hardExitOf(snapshot, request.position, config);
  const trigger = request.purpose === 'unwind' ? unwindTriggerOf(snapshot, request, { hardExit, config }) : noPrice;
  if (trigger === null) return refused('not_due');
  const { route = 'direct', purpose, tokenUnits, aheadTokenUnits, position } = request;
  // Only a hard exit sells in more of a hurry than others.
  const slipBps = purpose === 'unwind' ? hardExit.slipBps : config.model.slipBps;
  const marked = { kind: grantKindOf(purpose, position), slipBps, markPricePips: mark, venueFee };
  const bounds = routes[route].saleBoundsOf(marked, config);
  const limit = saleLimitOf(token.book, { ...bounds, tokenUnits, aheadTokenUnits, tickPricePips });
  if (limit === null) return refused('book_too_thin');
  if (request.purpose !== 'unwind') return termsOf({ mark, limit, trigger, fee: limit }, snapshot, config);
  return unwindTermsOf(snapshot, { ...request, position: request.position }, { mark, limit, trigger, config });
}

function liquidationRefusalOf(
  mark: PricePips,
  { position, earlierMid }: AttestationRequest,
  { token, config }: { readonly token: SideSnapshot; readonly config: PolicyConfig },
): AttestationRefusal | null {
  if (position === null) return refused('position_missing');
  const isAtOrBelow = (price: PricePips) => compare(price, position.liquidationPricePips) <= 0;
  if (raw(position.liquidationPricePips) === 0n || !isAtOrBelow(mark)) return refused('not_due');
  const { confirmationSpanMs, maxConfirmationSpanMs } = config.attestation;
  const isSeenTwice =
    earlierMid !== null &&
    earlierMid.ageMs >= confirmationSpanMs &&
    earlierMid.ageMs <= maxConfirmationSpanMs &&
    isAtOrBelow(earlierMid.pricePips);
  const second = token.secondSource;
  const isConfirmed = second !== null && second.ageMs <= config.ages.maxBookAgeMs && isAtOrBelow(second.pricePips);
  return isSeenTwice || isConfirmed ? null : refused('unconfirmed');
}
