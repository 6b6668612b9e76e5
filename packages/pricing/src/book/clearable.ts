import { divide } from '../units/arithmetic.ts';
import { toUsdcUnits, toUsdPips, wholeBps } from '../units/conversion.ts';
import { type RateBps, rateBps, raw, type UsdPips, usdPips } from '../units/quantity.ts';
import type { BookLevel } from './orderBook.ts';
import { walkAsks, walkLevels } from './walk.ts';

/** One pip of money in the exact scale of a walk: 100 units × 10,000. */
const pipE4 = 1_000_000n;

/**
 * Return clear(s): the largest notional in whole pips that the asks fill completely at an average price of at most best
 * ask × (10,000 + slippage) / 10,000 (DEFINITIONS 1). The average is that of the exact walk, before token units are
 * rounded down. It never falls when the notional grows, so every larger notional fails.
 *
 * @param asks Asks of the outcome, best first.
 * @returns Notional in whole pips, rounded down; 0 for an empty book.
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
  const averageE4 = raw(best.pricePips) * (wholeBps + raw(slippageBps));
  const walk = walkLevels(asks, { averageE4 });
  const { stop } = walk;
  // Worth that the cheaper levels leave for the level that would lift the average above the limit.
  const price = stop === null ? 0n : raw(stop.pricePips);
  const savedE4 = averageE4 * walk.tokens - wholeBps * walk.worthE4;
  const roomE4 = stop === null ? 0n : (price * savedE4) / (price * wholeBps - averageE4);
  const notional = usdPips((walk.worthE4 + roomE4) / pipE4);
  const last = stop === null ? 0n : (raw(stop.sizeTokenUnits) * raw(stop.pricePips)) / wholeBps;
  if (walk.usdc + last >= raw(notional) * 100n) return notional;
  // A walk spends whole units per level and would leave a remainder, so the notional shrinks where no later level
  // helps.
  return toUsdPips(walkAsks({ asks, notionalUsdcUnits: toUsdcUnits(notional) }).spentUsdcUnits, 'down');
}

/**
 * Return the smallest slippage at which a notional clears, so that clear(slippage) is at least the notional.
 *
 * @param asks Asks of the outcome, best first.
 * @returns Slippage in basis points, rounded up; null when the book is too small for the notional at any slippage.
 */
export function slippageOf({
  asks,
  notionalUsdPips,
}: {
  readonly asks: readonly BookLevel[];
  readonly notionalUsdPips: UsdPips;
}): RateBps | null {
  const [best] = asks;
  const targetE4 = raw(notionalUsdPips) * pipE4;
  const walk = walkLevels(asks, { worthE4: targetE4 });
  const { restUsdcUnits } = walkAsks({ asks, notionalUsdcUnits: toUsdcUnits(notionalUsdPips) });
  if (best === undefined || walk.stop === null || raw(restUsdcUnits) > 0n) return null;
  if (targetE4 === 0n) return rateBps(0n);
  const price = raw(walk.stop.pricePips);
  const tokensTimesPrice = walk.tokens * price + (targetE4 - walk.worthE4);
  return rateBps(divide(targetE4 * wholeBps * price, tokensTimesPrice * raw(best.pricePips), 'up') - wholeBps);
}
