import {
  compare,
  max,
  min,
  type OrderBook,
  type PricePips,
  pricePips,
  raw,
  type TokenUnits,
  walkBids,
} from '@core/pricing';
import type { FillerCost } from '../config.ts';
import { saleCostPipsOf } from '../fill/fillerCost.ts';

/** A sale into a live book, bounded by a mark. */
export interface BoundedSale {
  /** Cost of the filler of a grant; absent for an order. */
  readonly fillerCost?: FillerCost | null;
  readonly tokenUnits: TokenUnits;
  /** Tokens that other grants sell before a grant; an order has none. */
  readonly aheadTokenUnits?: TokenUnits | undefined;
  readonly lowestPricePips: PricePips;
  readonly tickPricePips: PricePips;
}

/**
 * The venue rounds the money of a sale down to 0.0001 USD: at a tick finer than a cent its amounts imply up to a pip
 * less than the price of its tick.
 */
const roundingPipsOf = (tickPricePips: PricePips): bigint => (raw(tickPricePips) % 100n === 0n ? 0n : 1n);

/**
 * Return the limit of a sale: the average of selling the size into the live book less one tick, or the last bid used
 * when that is lower. The rounding of its amounts is subtracted, so that the whole size can match. The limit is never
 * below the lowest price. Null when the book cannot take the size.
 * The limit of a grant is `grantSaleLimitOf`.
 */
export function saleLimitOf(book: Pick<OrderBook, 'bids'>, sale: BoundedSale): PricePips | null {
  if (sale.fillerCost) return grantSaleLimitOf(book, sale, sale.fillerCost);
  const { lowestPricePips: minimum } = sale;
  const walk = walkBids({ bids: book.bids, tokenUnits: sale.tokenUnits, limitPricePips: minimum });
  if (raw(walk.restTokenUnits) > 0n || walk.averagePricePips === null || walk.worstPricePips === null) return null;
  // One tick of tolerance for a book that moves while the order travels; the slip bound holds for every book.
  const average = pricePips(raw(walk.averagePricePips) - raw(sale.tickPricePips));
  const limit = raw(min(average, walk.worstPricePips)) - roundingPipsOf(sale.tickPricePips);
  return max(pricePips(limit), minimum);
}

/**
 * Return the limit of a grant's sale: the average of selling the size into the live book, after what is sold ahead of
 * it, less a filler's cost and one tick, rounded down, fee apart. What a filler cannot sell is part of its cost. The
 * limit is at least the lowest price of the sale, which is the edge of the vault's bands. At the end of its path it is
 * the price, so no slip replaces it. Null when the book cannot take the size or its average is below that.
 */
function grantSaleLimitOf(book: Pick<OrderBook, 'bids'>, sale: BoundedSale, cost: FillerCost): PricePips | null {
  const { tokenUnits, aheadTokenUnits, lowestPricePips: lowest } = sale;
  const { averagePricePips, restTokenUnits } = walkBids({ bids: book.bids, tokenUnits, aheadTokenUnits });
  if (raw(restTokenUnits) > 0n || averagePricePips === null) return null;
  if (compare(averagePricePips, lowest) < 0) return null;
  const averagePips = raw(averagePricePips);
  const costPips = saleCostPipsOf({ averagePips, tokenUnits }, cost);
  const limit = averagePips - costPips - raw(sale.tickPricePips);
  return limit > raw(lowest) ? pricePips(limit) : lowest;
}
