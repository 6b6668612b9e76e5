import type { LivePurpose } from '@core/position';
import {
  bestBidOf,
  compare,
  constants,
  max,
  midPriceOf,
  type PricePips,
  pricePips,
  type RateBps,
  raw,
  type TokenUnits,
  type UsdcUnits,
  venueFeeShareBpsOf,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { oddsShockOf } from '../leverage/oddsShock.ts';
import { isReferenceSilent } from '../leverage/referenceSilence.ts';
import { readWatch, toTriggerPips } from '../leverage/watch.ts';
import { type HardExit, hardExitOf, type OwingSince } from '../market/hardExit.ts';
import type { Side } from '../market/marketFacts.ts';
import { type AgedPrice, type MarketSnapshot, type SideSnapshot, sideOf } from '../market/marketSnapshot.ts';
import { isBreakerTripped, liveMidOf, openingMarkOf, saleMarkOf } from '../market/marks.ts';
import { riskPhaseOf } from '../market/riskPhase.ts';
import { saleLimitOf } from '../unwind/saleLimit.ts';
import { buyLimitOf } from './buyLimit.ts';

/** Purposes the price signer signs for. */
export type AttestedPurpose = LivePurpose;

/** The position as the chain shows it; the signer reads it itself. */
export interface AttestedPosition extends OwingSince {
  readonly tokenUnits: TokenUnits;
  /** Principal and fees owed now. */
  readonly debtUsdcUnits: UsdcUnits;
  /** The vault's liquidation price now; 0 without principal. */
  readonly liquidationPricePips: PricePips;
  /** Debt per token at which a planned rung is due; null for adaptive positions or when none is due. */
  readonly plannedTriggerPricePips: PricePips | null;
}

export interface AttestationRequest {
  readonly purpose: AttestedPurpose;
  readonly side: Side;
  /** Tokens to buy or sell with the order. */
  readonly tokenUnits: TokenUnits;
  /** Null for an opening. */
  readonly position: AttestedPosition | null;
  /** An observation of the mid at least two seconds ago, for a liquidation; null when there is none. */
  readonly earlierMid: AgedPrice | null;
}

/** The market's part of a price attestation; market, token and time of observation are the signer's to add. */
export interface AttestationTerms {
  readonly kind: 'attestation';
  readonly markPricePips: PricePips;
  readonly limitPricePips: PricePips;
  /** Zero past the hard exit alone, and for purposes that have no trigger. */
  readonly triggerPricePips: PricePips;
  readonly venueFeeBps: RateBps;
  readonly exitBufferBps: RateBps;
}

/** Why no price is attested. `not_due` means that the market is fine and the purpose does not apply. */
export type AttestationRefusalReason =
  | 'market_not_tradable'
  | 'trading_window_over'
  | 'fee_schedule_missing'
  | 'book_missing'
  | 'book_stale'
  | 'book_one_sided'
  | 'twap_unavailable'
  | 'twap_stale'
  | 'breaker_tripped'
  | 'size_too_small'
  | 'book_too_thin'
  | 'position_missing'
  | 'not_due'
  | 'unconfirmed';

export interface AttestationRefusal {
  readonly kind: 'refused';
  readonly reason: AttestationRefusalReason;
}

const noPrice = pricePips(0n);
/** What the vault reads as "past the hard exit". */
const hardExitTrigger = noPrice;
const lowestTrigger = pricePips(1n);

function refused(reason: AttestationRefusalReason): AttestationRefusal {
  return { kind: 'refused', reason };
}

/**
 * Whether a price may be signed for this purpose, side and size, and which: mark, limit, trigger and fee share of the
 * protocol's attestation. A stale book has no price; one without asks only for forced sales, which need its bids alone.
 * An opening also needs an open market and a fresh average; a sale needs a book that takes the whole size at
 * `mark × (1 − slip)` or better.
 */
export function decideAttestation(
  snapshot: MarketSnapshot,
  request: AttestationRequest,
  config: PolicyConfig = policyDefaults,
): AttestationTerms | AttestationRefusal {
  const token = sideOf(snapshot, request.side);
  if (snapshot.facts.venueFee === null) return refused('fee_schedule_missing');
  if (!snapshot.facts.isAcceptingOrders || snapshot.facts.isSettlementDetected) return refused('market_not_tradable');
  const bookRefusal = bookRefusalOf(token, request.purpose, config);
  if (bookRefusal !== null) return bookRefusal;
  // Orders below the venue's minimum do not exist there.
  if (compare(request.tokenUnits, constants.minOrderTokenUnits) < 0 && request.purpose !== 'open') {
    return refused('size_too_small');
  }
  return request.purpose === 'open' ? decideOpening(snapshot, request, config) : decideSale(snapshot, request, config);
}

/** Forced sales need bids alone; what a user opens or closes needs a price with both sides. */
function bookRefusalOf(token: SideSnapshot, purpose: AttestedPurpose, config: PolicyConfig): AttestationRefusal | null {
  if (token.book === null || token.bookAgeMs === null) return refused('book_missing');
  if (token.bookAgeMs > config.ages.maxBookAgeMs) return refused('book_stale');
  const isPriced = isForced(purpose) ? bestBidOf(token.book) !== null : midPriceOf(token.book) !== null;
  return isPriced ? null : refused('book_one_sided');
}

function isForced(purpose: AttestedPurpose): boolean {
  return purpose === 'unwind' || purpose === 'liquidate';
}

function termsOf(
  prices: { readonly mark: PricePips; readonly limit: PricePips; readonly trigger: PricePips; readonly fee: PricePips },
  snapshot: MarketSnapshot,
  config: PolicyConfig,
): AttestationTerms | AttestationRefusal {
  const schedule = snapshot.facts.venueFee;
  if (schedule === null) return refused('fee_schedule_missing');
  return {
    kind: 'attestation',
    markPricePips: prices.mark,
    limitPricePips: prices.limit,
    triggerPricePips: prices.trigger,
    venueFeeBps: venueFeeShareBpsOf({ pricePips: prices.fee, schedule }),
    exitBufferBps: config.model.exitBufferBps,
  };
}

function decideOpening(
  snapshot: MarketSnapshot,
  request: AttestationRequest,
  config: PolicyConfig,
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
  const limit = buyLimitOf({
    asks: token.book.asks,
    tokenUnits: request.tokenUnits,
    markPricePips: mark,
    tickPricePips: facts.tickPricePips,
    config,
  });
  if (limit === null) return refused('book_too_thin');
  return termsOf({ mark, limit, trigger: noPrice, fee: mark }, snapshot, config);
}

function decideSale(
  snapshot: MarketSnapshot,
  request: AttestationRequest,
  config: PolicyConfig,
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
  const limit = saleLimitOf(token.book, {
    tokenUnits: request.tokenUnits,
    markPricePips: mark,
    // Only a hard exit sells in more of a hurry than others.
    slipBps: request.purpose === 'unwind' ? hardExit.slipBps : config.model.slipBps,
    tickPricePips,
  });
  if (limit === null) return refused('book_too_thin');
  return termsOf({ mark, limit, trigger, fee: limit }, snapshot, config);
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

/**
 * Trigger of an unwind: c of the whole position, or a planned rung's own. Null when the debt is covered, or too small
 * to pass any trigger on chain. The vault reads 0 as "past the hard exit" and then sells below the debt, so nothing
 * else is ever 0.
 */
function unwindTriggerOf(
  snapshot: MarketSnapshot,
  { position, side }: AttestationRequest,
  { hardExit, config }: { readonly hardExit: HardExit; readonly config: PolicyConfig },
): PricePips | null {
  const token = sideOf(snapshot, side);
  const phase = riskPhaseOf(snapshot, config);
  const { venueFee } = snapshot.facts;
  if (position === null || raw(position.tokenUnits) === 0n || raw(position.debtUsdcUnits) === 0n) return null;
  // Past the deadline coverage no longer matters: the jump at resolution is larger than any margin.
  if (hardExit.isInForce) return hardExitTrigger;
  if (phase === null || token.book === null || venueFee === null) return null;
  const planned = position.plannedTriggerPricePips;
  if (planned !== null) return passableTriggerOf(position, planned);
  const silent = isReferenceSilent(snapshot, config);
  const shock = { phase, realisedVarianceE12: token.realisedVarianceE12, isReferenceSilent: silent };
  const reading = readWatch({
    book: token.book,
    tokens: position.tokenUnits,
    debtUsdcUnits: position.debtUsdcUnits,
    shockE12: oddsShockOf(shock, config.model),
    venueFee,
    isHardExitInForce: false,
  });
  return reading.isUnwindDue ? passableTriggerOf(position, toTriggerPips(reading.coveredValueE12)) : null;
}

/**
 * The trigger, or one pip less when only its rounding up keeps `debt × 10⁴ > tokens × trigger` of the vault from
 * holding; at least one pip. Null when the debt is a pip per token or less.
 */
function passableTriggerOf({ debtUsdcUnits, tokenUnits }: AttestedPosition, trigger: PricePips): PricePips | null {
  const passes = (price: PricePips) => raw(debtUsdcUnits) * 10_000n > raw(tokenUnits) * raw(price);
  const whole = max(trigger, lowestTrigger);
  if (passes(whole)) return whole;
  const lower = max(pricePips(raw(whole) - 1n), lowestTrigger);
  return passes(lower) ? lower : null;
}
