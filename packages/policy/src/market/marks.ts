import { add, bestBidOf, midPriceOf, min, type PricePips, raw } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import type { MarketSnapshot, SideSnapshot } from './marketSnapshot.ts';

/** The mark of a token, and whether anything may be signed on it. */
export interface Mark {
  readonly pricePips: PricePips;
  /** False while a side is missing or the book is too old: shown, but no sale and no liquidation may rest on it. */
  readonly isAttestable: boolean;
}

/** What a mark is read from. */
export type MarkedBook = Pick<SideSnapshot, 'book' | 'bookAgeMs' | 'lastMidPricePips'>;

/** Mark shown to users: the mid of the token's own book, or the last one that was valid. Null when it never had one. */
export function displayMarkOf(side: Pick<MarkedBook, 'book' | 'lastMidPricePips'>): PricePips | null {
  return (side.book === null ? null : midPriceOf(side.book)) ?? side.lastMidPricePips;
}

/** The mark of a token with what may rest on it. Null when it never had one. */
export function markOf(side: MarkedBook, config: PolicyConfig): Mark | null {
  const pricePips = displayMarkOf(side);
  return pricePips === null ? null : { pricePips, isAttestable: liveMidOf(side, config) !== null };
}

/** Live mid of the token; null when a side is missing or the book is older than a decision may rest on. */
export function liveMidOf(side: MarkedBook, config: PolicyConfig): PricePips | null {
  if (side.book === null || side.bookAgeMs === null || side.bookAgeMs > config.ages.maxBookAgeMs) return null;
  return midPriceOf(side.book);
}

/**
 * Mark a forced sale is bounded by. Bids are enough: nothing is bought, and a book that lost its asks is the one to
 * leave. Without asks it is the lower of the last valid mid and the best bid plus a tick, so that a vanished ask never
 * lifts it. Null while the bids are missing or too old.
 */
export function saleMarkOf(
  side: MarkedBook,
  { tickPricePips, config }: { readonly tickPricePips: PricePips; readonly config: PolicyConfig },
): PricePips | null {
  const mid = liveMidOf(side, config);
  if (mid !== null || side.book === null || side.bookAgeMs === null) return mid;
  const bid = bestBidOf(side.book);
  if (bid === null || side.bookAgeMs > config.ages.maxBookAgeMs) return null;
  const above = add(bid, tickPricePips);
  return side.lastMidPricePips === null ? above : min(above, side.lastMidPricePips);
}

/**
 * Mark of an opening: the lowest of the mid, the time-weighted mid and a last trade younger than a minute. Null
 * without a live mid; a missing average is judged by its own gate and not replaced here.
 */
export function openingMarkOf(side: SideSnapshot, config: PolicyConfig): PricePips | null {
  let mark = liveMidOf(side, config);
  if (mark === null) return null;
  if (side.twap.pricePips !== null) mark = min(mark, side.twap.pricePips);
  if (side.lastTrade !== null && side.lastTrade.ageMs < config.ages.maxLastTradeAgeMs) {
    mark = min(mark, side.lastTrade.pricePips);
  }
  return mark;
}

/**
 * True while the divergence breaker stops opening: it is held open, or the live mid is further from a second source
 * than anything but a broken feed explains. A second source that is missing or old judges nothing.
 */
export function isBreakerTripped(snapshot: MarketSnapshot, side: SideSnapshot, config: PolicyConfig): boolean {
  if (snapshot.isBreakerTripped) return true;
  const mid = liveMidOf(side, config);
  const second = side.secondSource;
  if (mid === null || second === null || second.ageMs > config.ages.maxSecondSourceAgeMs) return false;
  const distance = raw(mid) - raw(second.pricePips);
  return (distance < 0n ? -distance : distance) > raw(config.entry.maxDivergencePricePips);
}
