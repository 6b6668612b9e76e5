import { constants } from '../constants.ts';
import { max } from '../units/arithmetic.ts';
import { toUsdPips } from '../units/conversion.ts';
import { type LeverageBps, leverageBps, type RateBps, raw, type UsdPips, usdcUnits } from '../units/quantity.ts';
import { isOpenable, type Ladder, ladderOf, targetLeverageOf, viableLeverageOf } from './candidate.ts';
import type { SizeMarket } from './sizeRevision.ts';

const { leverageBucketsUsdPips: buckets, maxLeverageBps, minLeverageBps, defaultSlippageBps } = constants;
const step = raw(constants.leverageStepBps);
const noLeverage = leverageBps(0n);

/** Leverage that a market shows for one side (specification, Resources, Market, `leverage`). */
export interface SideLeverage {
  /** Highest leverage of any size. */
  readonly maxSideBps: LeverageBps;
  readonly at100Usd: LeverageBps;
  readonly at500Usd: LeverageBps;
  readonly at1000Usd: LeverageBps;
  readonly at10000Usd: LeverageBps;
}

/**
 * Return the highest leverage that the revision ladder grants at exactly this notional, on the step; 0 when it grants
 * a smaller notional or none. The result is monotone: never higher for a larger notional, unless the collateral floor
 * binds at the smaller one.
 */
export function grantedLeverageOf(
  market: SizeMarket,
  { notionalUsdPips, slippageBps }: { readonly notionalUsdPips: UsdPips; readonly slippageBps: RateBps },
): LeverageBps {
  return highestLeverageOf(anySizeOf(market, slippageBps), notionalUsdPips);
}

/** Return the ladder of a market for every notional: it is capped by no requested leverage. */
function anySizeOf(market: SizeMarket, slippageBps: RateBps): Ladder {
  const request = { side: 'yes', notionalUsdPips: market.minNotionalUsdPips, leverageBps: maxLeverageBps } as const;
  return ladderOf({ ...request, slippageBps, allowRevision: true, minFillBps: null }, market);
}

function highestLeverageOf(ladder: Ladder, notionalUsdPips: UsdPips): LeverageBps {
  const isFillable = raw(notionalUsdPips) <= raw(ladder.clearableUsdPips);
  if (!isFillable || !isOpenable(ladder, notionalUsdPips)) return noLeverage;
  return viableLeverageOf(ladder, notionalUsdPips, targetLeverageOf(ladder, notionalUsdPips));
}

/** Return the leverage that a market shows: the one granted at each listed notional at the default slippage. */
export function sideLeverageOf(market: SizeMarket): SideLeverage {
  const ladder = anySizeOf(market, defaultSlippageBps);
  return {
    maxSideBps: maxSideLeverageOf(ladder),
    at100Usd: listedLeverageOf(ladder, buckets.at100Usd),
    at500Usd: listedLeverageOf(ladder, buckets.at500Usd),
    at1000Usd: listedLeverageOf(ladder, buckets.at1000Usd),
    at10000Usd: listedLeverageOf(ladder, buckets.at10000Usd),
  };
}

/** Return the leverage shown for a notional: that of the largest listed one up to it, else the maximum of the side. */
export function shownLeverageOf(market: SizeMarket, notionalUsdPips: UsdPips): LeverageBps {
  const ladder = anySizeOf(market, defaultSlippageBps);
  const listed = Object.values(buckets).findLast((bucket) => raw(bucket) <= raw(notionalUsdPips));
  return listed === undefined ? maxSideLeverageOf(ladder) : listedLeverageOf(ladder, listed);
}

/**
 * Return the leverage of a listed notional. Below the market's minimum it is that of the minimum: no smaller size is
 * granted.
 */
function listedLeverageOf(ladder: Ladder, listed: UsdPips): LeverageBps {
  return highestLeverageOf(ladder, max(listed, ladder.market.minNotionalUsdPips));
}

/**
 * Return the highest leverage that any size is granted at the default slippage. A higher leverage needs a larger
 * notional to meet the collateral floor, and a larger notional is granted less, so the steps are bisected.
 */
function maxSideLeverageOf(ladder: Ladder): LeverageBps {
  const floor = raw(ladder.floorUsdcUnits);
  const grantedAt = (quarters: bigint) => {
    const smallest = toUsdPips(usdcUnits((floor * quarters + 3n) / 4n), 'up');
    return highestLeverageOf(ladder, max(smallest, ladder.market.minNotionalUsdPips));
  };
  let lowest = raw(minLeverageBps) / step;
  let granted = grantedAt(lowest);
  if (raw(granted) < raw(minLeverageBps)) return granted;
  let highest = raw(maxLeverageBps) / step + 1n;
  while (highest - lowest > 1n) {
    const middle = (lowest + highest) / 2n;
    const candidate = grantedAt(middle);
    if (raw(candidate) >= middle * step) [lowest, granted] = [middle, candidate];
    else highest = middle;
  }
  return granted;
}
