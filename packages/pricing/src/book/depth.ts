import { type PricePips, pricePips, raw, type UsdcUnits, usdcUnits } from '../units/quantity.ts';
import type { BookLevel, OrderBook } from './orderBook.ts';
import { walkLevels } from './walk.ts';

/** Return the USDC that the asks up to a price can take, each level rounded down to a unit. */
export function askDepthOf(asks: readonly BookLevel[], highestPricePips: PricePips): UsdcUnits {
  return usdcUnits(walkLevels(asks, { highest: raw(highestPricePips) }).usdc);
}

/** Return the USDC that the bids down to a price can pay, each level rounded down to a unit. */
export function bidDepthOf(bids: readonly BookLevel[], lowestPricePips: PricePips): UsdcUnits {
  return usdcUnits(walkLevels(bids, { lowest: raw(lowestPricePips) }).usdc);
}

/** Return the lowest ask, or null when there is none. */
export function bestAskOf(book: OrderBook): PricePips | null {
  return book.asks[0]?.pricePips ?? null;
}

/** Return the highest bid, or null when there is none. */
export function bestBidOf(book: OrderBook): PricePips | null {
  return book.bids[0]?.pricePips ?? null;
}

/** Return the mark of a token: ⌊(bid + ask) / 2⌋ of its own book, or null when one side is empty (DEFINITIONS 3). */
export function midPriceOf(book: OrderBook): PricePips | null {
  const bid = bestBidOf(book);
  const ask = bestAskOf(book);
  return bid === null || ask === null ? null : pricePips((raw(bid) + raw(ask)) / 2n);
}
