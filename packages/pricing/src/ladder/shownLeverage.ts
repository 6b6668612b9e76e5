import { constants } from '../constants.ts';
import { collateralFloorOf } from '../limits/hints.ts';
import { max } from '../units/arithmetic.ts';
import { toUsdPips } from '../units/conversion.ts';
import { type LeverageBps, leverageBps, type RateBps, raw, type UsdPips, usdcUnits } from '../units/quantity.ts';
import { isOpenable, ladderOf, targetLeverageOf, viableLeverageOf } from './candidate.ts';
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
  const ladder = ladderOf(
    {
      side: 'yes',
      notionalUsdPips,
      slippageBps,
      leverageBps: maxLeverageBps,
      allowRevision: true,
      minFillBps: null,
    },
    market,
  );
  const isFillable = raw(notionalUsdPips) <= raw(ladder.clearableUsdPips);
  if (!isFillable || !isOpenable(ladder, notionalUsdPips)) return noLeverage;
  return viableLeverageOf(ladder, notionalUsdPips, targetLeverageOf(ladder, notionalUsdPips));
}

/** Return the leverage that a market shows: the one granted at each listed notional at the default slippage. */
export function sideLeverageOf(market: SizeMarket): SideLeverage {
  return {
    maxSideBps: maxSideLeverageOf(market),
    at100Usd: listedLeverageOf(market, buckets.at100Usd),
    at500Usd: listedLeverageOf(market, buckets.at500Usd),
    at1000Usd: listedLeverageOf(market, buckets.at1000Usd),
    at10000Usd: listedLeverageOf(market, buckets.at10000Usd),
  };
}

/** Return the leverage shown for a notional: that of the largest listed one up to it, else the maximum of the side. */
export function shownLeverageOf(market: SizeMarket, notionalUsdPips: UsdPips): LeverageBps {
  const listed = Object.values(buckets).findLast((bucket) => raw(bucket) <= raw(notionalUsdPips));
  return listed === undefined ? maxSideLeverageOf(market) : listedLeverageOf(market, listed);
}

/**
 * Return the leverage of a listed notional. Below the market's minimum it is that of the minimum: no smaller size is
 * granted.
 */
function listedLeverageOf(market: SizeMarket, listed: UsdPips): LeverageBps {
  const notionalUsdPips = max(listed, market.minNotionalUsdPips);
  return grantedLeverageOf(market, { notionalUsdPips, slippageBps: defaultSlippageBps });
}

/**
 * Return the highest leverage that any size is granted at the default slippage. A higher leverage needs a larger
 * notional to meet the collateral floor, and a larger notional is granted less, so the steps are bisected.
 */
function maxSideLeverageOf(market: SizeMarket): LeverageBps {
  const floor = raw(collateralFloorOf(market.minCollateralUsdPips));
  const grantedAt = (quarters: bigint) => {
    const smallest = toUsdPips(usdcUnits((floor * quarters + 3n) / 4n), 'up');
    const notionalUsdPips = max(smallest, market.minNotionalUsdPips);
    return grantedLeverageOf(market, { notionalUsdPips, slippageBps: defaultSlippageBps });
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
