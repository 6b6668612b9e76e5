import { divide } from '../units/arithmetic.ts';
import { type RateBps, rateBps, raw, type UsdPips, usdPips } from '../units/quantity.ts';
import type { BookLevel } from './orderBook.ts';

/** One pip of money, in units × 10,000: the scale in which size × price needs no rounding. */
const pipScaled = 1_000_000n;

/**
 * clear(s): the largest notional in whole pips that the asks fill completely at an average price of at most
 * best ask × (10,000 + slippage) / 10,000 (DEFINITIONS 1). The average is that of the exact walk, before token units
 * are rounded down: it never falls when the notional grows, so "largest" means that every larger notional fails.
 * An empty book clears nothing.
 */
export function clearableNotionalOf({
  asks,
  slippageBps,
}: {
  readonly asks: readonly BookLevel[];
  readonly slippageBps: RateBps;
}): UsdPips {
  const best = asks[0];
  if (best === undefined) return usdPips(0n);
  // Everything is scaled by 10,000, so a level's worth is size × price exactly.
  const limit = raw(best.pricePips) * (10_000n + raw(slippageBps));
  const limitPrice = limit / 10_000n;
  let spent = 0n;
  let tokens = 0n;
  let fillable = 0n;
  let cleared: bigint | null = null;
  for (const level of asks) {
    const price = raw(level.pricePips);
    const size = raw(level.sizeTokenUnits);
    const worth = size * price;
    fillable += worth / 10_000n;
    if (price > limitPrice) {
      // Above the limit a level only uses up what the cheaper ones saved.
      const room = (price * (limit * tokens - 10_000n * spent)) / (price * 10_000n - limit);
      if (room < worth) {
        cleared = spent + room;
        break;
      }
    }
    spent += worth;
    tokens += size;
  }
  const notional = (cleared ?? spent) / pipScaled;
  return fillable >= notional * 100n ? usdPips(notional) : spendableOf(asks, notional);
}

/** The notional, or less where walking it would leave more than nothing: a walk spends whole units per level. */
function spendableOf(asks: readonly BookLevel[], notional: bigint): UsdPips {
  const wanted = notional * 100n;
  let fillable = 0n;
  for (const level of asks) {
    fillable += (raw(level.sizeTokenUnits) * raw(level.pricePips)) / 10_000n;
    if (fillable >= wanted) return usdPips(notional);
  }
  return usdPips(fillable / 100n);
}

/**
 * The smallest slippage in basis points at which a notional clears, so that clear(it) is at least the notional;
 * null when the book is too small for it at any slippage.
 */
export function slippageOf({
  asks,
  notionalUsdPips,
}: {
  readonly asks: readonly BookLevel[];
  readonly notionalUsdPips: UsdPips;
}): RateBps | null {
  const best = asks[0];
  if (best === undefined) return null;
  const target = raw(notionalUsdPips) * pipScaled;
  let spent = 0n;
  let tokens = 0n;
  let fillableUnits = 0n;
  let needed: bigint | null = null;
  for (const level of asks) {
    const price = raw(level.pricePips);
    const size = raw(level.sizeTokenUnits);
    const worth = size * price;
    fillableUnits += worth / 10_000n;
    if (needed === null && spent + worth >= target) {
      const tokensTimesPrice = tokens * price + (target - spent);
      needed =
        target === 0n ? 0n : divide(target * 10_000n * price, tokensTimesPrice * raw(best.pricePips), 'up') - 10_000n;
    }
    spent += worth;
    tokens += size;
    if (needed !== null && fillableUnits >= raw(notionalUsdPips) * 100n) return rateBps(needed);
  }
  return null;
}
