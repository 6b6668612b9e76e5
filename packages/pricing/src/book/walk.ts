import { divide } from '../units/arithmetic.ts';
import { wholeBps } from '../units/conversion.ts';
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
  /** The last level used; null when nothing was bought. */
  readonly worstPricePips: PricePips | null;
}

/** What an amount of tokens takes from one side: bids when they are sold, asks when they are bought. */
export interface TokenWalk {
  readonly fills: readonly BookFill[];
  readonly tokenUnits: TokenUnits;
  /** Tokens the book could not take; 0 when all were traded. */
  readonly restTokenUnits: TokenUnits;
  /** Σ tokens × price, without rounding: USDC units with four more decimals. */
  readonly exactUsdcUnitsE4: bigint;
  /** The last level used; null when nothing was traded. */
  readonly worstPricePips: PricePips | null;
}

/** What selling an amount of tokens takes from the bids. */
export interface BidWalk extends TokenWalk {
  /** Whole units per level, rounded down. */
  readonly proceedsUsdcUnits: UsdcUnits;
  /** Proceeds × 10,000 / tokens, rounded down; null when nothing was sold. */
  readonly averagePricePips: PricePips | null;
}

/**
 * What is asked of the levels of one side, best first. The stops are data: every quote walks several times, and a
 * callback per level would double the time of a walk.
 */
interface Walk {
  /** Tokens to trade; left out, every level whole. */
  readonly amount?: bigint | undefined;
  /** Tokens that others trade first. */
  readonly ahead?: bigint | undefined;
  /** Stops at the first level above this price. */
  readonly highest?: bigint | undefined;
  /** Stops at the first level below this price. */
  readonly lowest?: bigint | undefined;
  /** Stops at the level that, taken whole, would lift the average price above this, in pips with four more decimals. */
  readonly averageE4?: bigint | undefined;
  /** Stops at the level with which the worth reaches this, in money with four more decimals. */
  readonly worthE4?: bigint | undefined;
  /** Receives the fills where they are wanted; sums alone are cheaper. */
  readonly fills?: BookFill[];
}

/** What a walk took, and the level that stopped it before the amount or the levels ended. */
interface Walked {
  readonly tokens: bigint;
  /** Money in whole units per level, rounded down. */
  readonly usdc: bigint;
  /** Σ tokens × price, exact: money with four more decimals. */
  readonly worthE4: bigint;
  readonly rest: bigint;
  readonly stop: BookLevel | null;
}

/**
 * The one walk down a side of a book; every question about one is put to it, but for a purchase by money: `walkAsks`
 * rounds money first and tokens after it. Per level the walk takes the rest or the size, worth
 * ⌊tokens × price / 10,000⌋ units (DEFINITIONS 1).
 */
export function walkLevels(levels: readonly BookLevel[], walk: Walk): Walked {
  const { amount, highest, lowest, averageE4 = 0n, worthE4: reachedE4, fills } = walk;
  const average = walk.averageE4 === undefined ? undefined : averageE4 / wholeBps;
  let rest = amount ?? 0n;
  const hasAhead = walk.ahead !== undefined;
  let ahead = walk.ahead ?? 0n;
  let tokens = 0n;
  let worthE4 = 0n;
  let usdc = 0n;
  for (const level of levels) {
    if (amount !== undefined && rest <= 0n) break;
    const price = raw(level.pricePips);
    let size = raw(level.sizeTokenUnits);
    let worth = size * price;
    if (
      (highest !== undefined && price > highest) ||
      (lowest !== undefined && price < lowest) ||
      (average !== undefined && price > average && wholeBps * (worthE4 + worth) > averageE4 * (tokens + size)) ||
      (reachedE4 !== undefined && worthE4 + worth >= reachedE4)
    ) {
      return { tokens, worthE4, usdc, rest, stop: level };
    }
    if (hasAhead && ahead > 0n) {
      const skipped = ahead < size ? ahead : size;
      ahead -= skipped;
      size -= skipped;
      worth = size * price;
    }
    if (amount !== undefined) {
      if (rest < size) {
        size = rest;
        worth = size * price;
      }
      rest -= size;
    }
    const paid = worth / wholeBps;
    tokens += size;
    worthE4 += worth;
    usdc += paid;
    if (fills !== undefined && size > 0n) {
      fills.push({ pricePips: level.pricePips, tokenUnits: tokenUnits(size), usdcUnits: usdcUnits(paid) });
    }
  }
  return { tokens, worthE4, usdc, rest, stop: null };
}

function tokenWalkOf(walked: Walked, fills: readonly BookFill[]): TokenWalk {
  return {
    fills,
    tokenUnits: tokenUnits(walked.tokens),
    restTokenUnits: tokenUnits(walked.rest),
    exactUsdcUnitsE4: walked.worthE4,
    worstPricePips: fills.at(-1)?.pricePips ?? null,
  };
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
  for (const level of asks) {
    const price = raw(level.pricePips);
    if (rest <= 0n || (limit !== null && price > limit)) break;
    const capacity = (raw(level.sizeTokenUnits) * price) / wholeBps;
    const spend = rest < capacity ? rest : capacity;
    if (spend === 0n) continue;
    const bought = (spend * wholeBps) / price;
    fills.push({ pricePips: level.pricePips, tokenUnits: tokenUnits(bought), usdcUnits: usdcUnits(spend) });
    rest -= spend;
    tokens += bought;
  }
  const spent = raw(notionalUsdcUnits) - rest;
  return {
    fills,
    spentUsdcUnits: usdcUnits(spent),
    tokenUnits: tokenUnits(tokens),
    restUsdcUnits: usdcUnits(rest),
    averagePricePips: tokens === 0n ? null : pricePips(divide(spent * wholeBps, tokens, 'up')),
    worstPricePips: fills.at(-1)?.pricePips ?? null,
  };
}

/** Buys an amount of tokens, best ask first. A limit stops at the first level above it. */
export function walkAsksByTokens({
  asks,
  tokenUnits: wanted,
  limitPricePips,
}: {
  readonly asks: readonly BookLevel[];
  readonly tokenUnits: TokenUnits;
  readonly limitPricePips?: PricePips | undefined;
}): TokenWalk {
  const fills: BookFill[] = [];
  const highest = limitPricePips === undefined ? undefined : raw(limitPricePips);
  return tokenWalkOf(walkLevels(asks, { amount: raw(wanted), highest, fills }), fills);
}

/**
 * Sells an amount of tokens, best bid first. A limit stops at the first level below it; what others sell ahead comes
 * off the best levels first. An empty book sells nothing.
 */
export function walkBids({
  bids,
  tokenUnits: sold,
  limitPricePips,
  aheadTokenUnits,
}: {
  readonly bids: readonly BookLevel[];
  readonly tokenUnits: TokenUnits;
  readonly limitPricePips?: PricePips | undefined;
  readonly aheadTokenUnits?: TokenUnits | undefined;
}): BidWalk {
  const fills: BookFill[] = [];
  const walked = walkLevels(bids, {
    amount: raw(sold),
    ahead: aheadTokenUnits === undefined ? 0n : raw(aheadTokenUnits),
    lowest: limitPricePips === undefined ? undefined : raw(limitPricePips),
    fills,
  });
  return {
    ...tokenWalkOf(walked, fills),
    proceedsUsdcUnits: usdcUnits(walked.usdc),
    averagePricePips: walked.tokens === 0n ? null : pricePips((walked.usdc * wholeBps) / walked.tokens),
  };
}
