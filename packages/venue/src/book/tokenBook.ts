import { type Mark, markOf as markOfSide, type PolicyConfig, policyDefaults } from '@core/policy';
import { type BookLevel, compare, isZero, type OrderBook, type PricePips } from '@core/pricing';

/** A price and when it was seen, on this service's clock. */
export interface SeenPrice {
  readonly pricePips: PricePips;
  readonly atMs: number;
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
  readonly lastTrade: SeenPrice | null;
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

/** The mark of a token by the policy's rule, its age read at `nowMs`. */
export function markOf(book: TokenBook, nowMs: number, config: PolicyConfig = policyDefaults): Mark | null {
  const lastMidPricePips = book.lastMid?.pricePips ?? null;
  return markOfSide({ book, bookAgeMs: bookAgeMsOf(book, nowMs), lastMidPricePips }, config);
}

/** Where the level of a price stands or would stand in a side sorted best first. */
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
