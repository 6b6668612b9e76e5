import {
  max,
  min,
  type OrderBook,
  type PricePips,
  pricePips,
  type RateBps,
  raw,
  type TokenUnits,
  walkBids,
} from '@core/pricing';

/** Lowest whole price at which a sale may be made: mark × (1 − slip), rounded up. */
export function minimumSaleLimitOf(markPricePips: PricePips, slipBps: RateBps): PricePips {
  const scaled = raw(markPricePips) * (10_000n - raw(slipBps));
  return pricePips((scaled + 9_999n) / 10_000n);
}

/** A sale into a live book, bounded by a mark. */
export interface BoundedSale {
  readonly tokenUnits: TokenUnits;
  readonly markPricePips: PricePips;
  readonly slipBps: RateBps;
  readonly tickPricePips: PricePips;
}

/**
 * Limit of a sale: the average of selling the size into the live book less one tick, or the last bid used when that
 * is lower, so that the whole size can match; never worse than mark × (1 − slip). Null when the book cannot do it.
 */
export function saleLimitOf(book: Pick<OrderBook, 'bids'>, sale: BoundedSale): PricePips | null {
  const minimum = minimumSaleLimitOf(sale.markPricePips, sale.slipBps);
  const walk = walkBids({ bids: book.bids, tokenUnits: sale.tokenUnits, limitPricePips: minimum });
  if (raw(walk.restTokenUnits) > 0n || walk.averagePricePips === null || walk.worstPricePips === null) return null;
  // One tick of room for a book that moves while the order travels; the slip bound holds whatever the book says.
  const average = pricePips(raw(walk.averagePricePips) - raw(sale.tickPricePips));
  return max(min(average, walk.worstPricePips), minimum);
}
