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

/** Fills of a purchase by money. */
export interface AskWalk {
  readonly fills: readonly BookFill[];
  readonly spentUsdcUnits: UsdcUnits;
  readonly tokenUnits: TokenUnits;
  /** Money that the book could not take; 0 when all of it was spent. */
  readonly restUsdcUnits: UsdcUnits;
  /** Spent × 10,000 / tokens, rounded up; null when nothing was bought. */
  readonly averagePricePips: PricePips | null;
  /** Price of the last level used; null when nothing was bought. */
  readonly worstPricePips: PricePips | null;
}

/** Fills of a trade by tokens: bids of a sale, asks of a purchase. */
export interface TokenWalk {
  readonly fills: readonly BookFill[];
  readonly tokenUnits: TokenUnits;
  /** Tokens that the book could not take; 0 when all were traded. */
  readonly restTokenUnits: TokenUnits;
  /** Σ tokens × price without rounding: USDC units with four more decimals. */
  readonly exactUsdcUnitsE4: bigint;
  /** Price of the last level used; null when nothing was traded. */
  readonly worstPricePips: PricePips | null;
}

/** Fills of a sale. */
export interface BidWalk extends TokenWalk {
  /** Proceeds in whole units per level, rounded down. */
  readonly proceedsUsdcUnits: UsdcUnits;
  /** Proceeds × 10,000 / tokens, rounded down; null when nothing was sold. */
  readonly averagePricePips: PricePips | null;
}

/**
 * Conditions of a walk along one side, best first. Stops are data: every quote walks several times, and a callback per
 * level would double the time.
 */
interface Walk {
  /** Tokens to trade; absent, every level is taken whole. */
  readonly amount?: bigint | undefined;
  /** Tokens that others trade first. */
  readonly ahead?: bigint | undefined;
  /** Price at which the walk stops: the first level above it. */
  readonly highest?: bigint | undefined;
  /** Price at which the walk stops: the first level below it. */
  readonly lowest?: bigint | undefined;
  /** Average price that no level may lift the walk above when taken whole, in pips with four more decimals. */
  readonly averageE4?: bigint | undefined;
  /** Worth that stops the walk at the level that reaches it, in money with four more decimals. */
  readonly worthE4?: bigint | undefined;
  /** Receiver of the fills; without it only sums are computed, which is cheaper. */
  readonly fills?: BookFill[];
}

/** Sums of a walk, and the level that stopped it before the amount or the levels ended. */
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
 * Walk along one side of a book. All book computations use it except purchases by money: `walkAsks` rounds money first
 * and tokens after it. Each level fills the remainder or its size, worth ⌊tokens × price / 10,000⌋ units (DEFINITIONS
 * 1).
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
 * Buy for an amount of money, best ask first (DEFINITIONS 1, walk). Each level spends the remainder or ⌊size × price /
 * 10,000⌋ units and delivers ⌊spend × 10,000 / price⌋ token units.
 *
 * @param asks Asks of the outcome, best first; an empty book fills nothing.
 * @param notionalUsdcUnits Money to spend, in USDC units.
 * @param limitPricePips Price limit; the walk stops at the first level above it.
 * @returns Fills, sums and the average price, rounded up.
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

/**
 * Buy an amount of tokens, best ask first.
 *
 * @param limitPricePips Price limit; the walk stops at the first level above it.
 */
export function walkAsksByTokens({
  asks,
  tokenUnits: amount,
  limitPricePips,
}: {
  readonly asks: readonly BookLevel[];
  readonly tokenUnits: TokenUnits;
  readonly limitPricePips?: PricePips | undefined;
}): TokenWalk {
  const fills: BookFill[] = [];
  const highest = limitPricePips === undefined ? undefined : raw(limitPricePips);
  return tokenWalkOf(walkLevels(asks, { amount: raw(amount), highest, fills }), fills);
}

/**
 * Sell an amount of tokens, best bid first; an empty book fills nothing.
 *
 * @param tokenUnits Tokens to sell.
 * @param limitPricePips Price limit; the walk stops at the first level below it.
 * @param aheadTokenUnits Tokens that others sell first; they are deducted from the best levels.
 * @returns Fills, proceeds per level rounded down and the average price, rounded down.
 */
export function walkBids({
  bids,
  tokenUnits: amount,
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
    amount: raw(amount),
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
