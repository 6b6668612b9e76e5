import { divide } from '../units/arithmetic.ts';
import {
  type PricePips,
  pricePips,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '../units/quantity.ts';
import type { BookFill, BookLevel } from './orderBook.ts';

/** What buying for an amount of money takes from the asks. */
export interface AskWalk {
  readonly fills: readonly BookFill[];
  readonly spentUsdcUnits: UsdcUnits;
  readonly tokenUnits: TokenUnits;
  /** Money the book could not take; 0 when all of it was spent. */
  readonly restUsdcUnits: UsdcUnits;
  /** Spent × 10,000 / tokens, rounded up; null when nothing was bought. */
  readonly averagePricePips: PricePips | null;
  /** The last level touched; null when nothing was bought. */
  readonly worstPricePips: PricePips | null;
}

/** What selling an amount of tokens takes from the bids. */
export interface BidWalk {
  readonly fills: readonly BookFill[];
  readonly proceedsUsdcUnits: UsdcUnits;
  readonly tokenUnits: TokenUnits;
  /** Tokens the book could not take; 0 when all were sold. */
  readonly restTokenUnits: TokenUnits;
  /** Proceeds × 10,000 / tokens, rounded down; null when nothing was sold. */
  readonly averagePricePips: PricePips | null;
  /** The last level touched; null when nothing was sold. */
  readonly worstPricePips: PricePips | null;
}

/**
 * Buys for an amount of money, best ask first (DEFINITIONS 1, walk). Per level: spend the rest or
 * ⌊size × price / 10,000⌋ units, receive ⌊spend × 10,000 / price⌋ token units. A limit stops at the first level
 * above it. An empty book buys nothing.
 */
export function walkAsks({
  asks,
  notionalUsdcUnits,
  limitPricePips,
}: {
  readonly asks: readonly BookLevel[];
  readonly notionalUsdcUnits: UsdcUnits;
  readonly limitPricePips?: PricePips | undefined;
}): AskWalk {
  const limit = limitPricePips === undefined ? null : raw(limitPricePips);
  const fills: BookFill[] = [];
  let rest = raw(notionalUsdcUnits);
  let tokens = 0n;
  let worst: PricePips | null = null;
  for (const level of asks) {
    const price = raw(level.pricePips);
    if (rest <= 0n || (limit !== null && price > limit)) break;
    const capacity = (raw(level.sizeTokenUnits) * price) / 10_000n;
    const spend = rest < capacity ? rest : capacity;
    if (spend === 0n) continue;
    const bought = (spend * 10_000n) / price;
    fills.push({ pricePips: level.pricePips, tokenUnits: tokenUnits(bought), usdcUnits: usdcUnits(spend) });
    rest -= spend;
    tokens += bought;
    worst = level.pricePips;
  }
  const spent = raw(notionalUsdcUnits) - rest;
  return {
    fills,
    spentUsdcUnits: usdcUnits(spent),
    tokenUnits: tokenUnits(tokens),
    restUsdcUnits: usdcUnits(rest),
    averagePricePips: tokens === 0n ? null : pricePips(divide(spent * 10_000n, tokens, 'up')),
    worstPricePips: worst,
  };
}

/**
 * Sells an amount of tokens, best bid first. Per level: ⌊tokens × price / 10,000⌋ units of proceeds. A limit stops
 * at the first level below it. An empty book sells nothing.
 */
export function walkBids({
  bids,
  tokenUnits: offered,
  limitPricePips,
}: {
  readonly bids: readonly BookLevel[];
  readonly tokenUnits: TokenUnits;
  readonly limitPricePips?: PricePips | undefined;
}): BidWalk {
  const limit = limitPricePips === undefined ? null : raw(limitPricePips);
  const fills: BookFill[] = [];
  let rest = raw(offered);
  let proceeds = 0n;
  let worst: PricePips | null = null;
  for (const level of bids) {
    const price = raw(level.pricePips);
    if (rest <= 0n || (limit !== null && price < limit)) break;
    const size = raw(level.sizeTokenUnits);
    const sold = rest < size ? rest : size;
    if (sold === 0n) continue;
    const received = (sold * price) / 10_000n;
    fills.push({ pricePips: level.pricePips, tokenUnits: tokenUnits(sold), usdcUnits: usdcUnits(received) });
    rest -= sold;
    proceeds += received;
    worst = level.pricePips;
  }
  const sold = raw(offered) - rest;
  return {
    fills,
    proceedsUsdcUnits: usdcUnits(proceeds),
    tokenUnits: tokenUnits(sold),
    restTokenUnits: tokenUnits(rest),
    averagePricePips: sold === 0n ? null : pricePips((proceeds * 10_000n) / sold),
    worstPricePips: worst,
  };
}
