import { type Mark, type MarkConfig, markOf as markOfSide, observationDefaults } from '@core/market';
import { type BookLevel, compare, isZero, type OrderBook, type PricePips, type TokenUnits } from '@core/pricing';

/** A price and when it was seen, on this service's clock. */
export interface SeenPrice {
  readonly pricePips: PricePips;
  readonly atMs: number;
}

/** A trade of the venue and when it was seen. */
export interface SeenTrade extends SeenPrice {
  /** Null where the venue does not say. */
  readonly sizeTokenUnits: TokenUnits | null;
  /** Direction of the order that took the other from the book; null where the venue does not say. */
  readonly takerSide: 'BUY' | 'SELL' | null;
}

/** A token's book at one instant: an immutable value, best first on both sides, never crossed. */
export interface TokenBook extends OrderBook {
  readonly conditionId: string;
  readonly tokenId: string;
  /** Last message or confirming REST read, on this service's clock. */
  readonly receivedAtMs: number;
  /** The venue's own instant of the last change. */
  readonly venueTimestampMs: number;
  readonly tickPricePips: PricePips | null;
  /** Trades since the token was first followed, newest first, at most `maxTrades`. */
  readonly trades: readonly SeenTrade[];
  /** The last mid that existed and when it was last confirmed; kept while a side is missing. */
  readonly lastMid: SeenPrice | null;
}

/** Best bid at or above best ask: levels of a resting book never cross, so something was missed. */
export function isCrossed(book: OrderBook): boolean {
  const bid = book.bids[0]?.pricePips;
  const ask = book.asks[0]?.pricePips;
  return bid !== undefined && ask !== undefined && compare(bid, ask) >= 0;
}

/** Time since the last message or confirming read, milliseconds, never negative. */
export const bookAgeMsOf = (book: TokenBook, nowMs: number): number => Math.max(0, nowMs - book.receivedAtMs);

/** Return the mark of a token, the age of its book counted to `nowMs`. */
export function markOf(book: TokenBook, nowMs: number, config: MarkConfig = observationDefaults): Mark | null {
  const lastMidPricePips = book.lastMid?.pricePips ?? null;
  return markOfSide({ book, bookAgeMs: bookAgeMsOf(book, nowMs), lastMidPricePips }, config);
}

/** Return the index of a price in a side sorted best first, or the index to insert it at. */
const positionOf = (levels: readonly BookLevel[], pricePips: PricePips, direction: 1 | -1): number => {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const level = levels[middle];
    if (level !== undefined && direction * compare(level.pricePips, pricePips) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
};

/**
 * The side with one level's size replaced, put in, or taken out when the size is zero. The given side stays as it is.
 */
export function withLevel(levels: readonly BookLevel[], level: BookLevel, side: 'bid' | 'ask'): readonly BookLevel[] {
  const position = positionOf(levels, level.pricePips, side === 'bid' ? -1 : 1);
  const existing = levels[position];
  const isThere = existing !== undefined && compare(existing.pricePips, level.pricePips) === 0;
  const isRemoval = isZero(level.sizeTokenUnits);
  if (isRemoval && !isThere) {
    return levels;
  }
  return levels.toSpliced(position, isThere ? 1 : 0, ...(isRemoval ? [] : [level]));
}
