import type { Side } from '@core/position';
import {
  clearableNotionalOf,
  constants,
  grantedLeverageOf,
  hints,
  type LeverageBps,
  max,
  min,
  type OrderBook,
  raw,
  type SideLeverage,
  type SizeMarket,
  toUsdPips,
  type UsdPips,
  usdcUnits,
  usdPips,
} from '@core/pricing';
import { deepestNotionalOf, type SideModel } from '../leverage/sideModel.ts';
import { sizeMarketOf } from '../quote/sizeMarket.ts';
import { type MarketView, uncappedMaxOf } from './capacityMax.ts';

const { minLeverageBps, defaultSlippageBps: slippageBps, leverageBucketsUsdPips: buckets } = constants;
const isTradable = (leverage: LeverageBps): boolean => raw(leverage) >= raw(minLeverageBps);

/** Books are immutable: the last maximum of one is where the search for the next begins. */
const lastMaxima = new WeakMap<OrderBook, bigint>();

/** Model and listed leverage of an open side, and a limit of its notional. */
interface OpenSide {
  readonly model: SideModel;
  readonly leverage: SideLeverage;
  readonly limitUsdPips: UsdPips;
}

/**
 * Return the largest notional within a limit that a quote grants unchanged on an open side now, at the minimum leverage
 * and the default slippage, to a wallet without positions. Caps, pool, depth rules, sale bound and leverage limit all
 * count. Zero where no notional is granted; null when usage or pool are unknown.
 */
export function grantedMaxOf(view: MarketView, side: Side, open: OpenSide): UsdPips | null {
  const { model, leverage, limitUsdPips } = open;
  const uncapped = uncappedMaxOf(view, side, minLeverageBps);
  if (uncapped === null) return null;
  const { book } = model;
  const market = sizeMarketOf(model, view.terms);
  const clearable = clearableNotionalOf({ asks: book.asks, slippageBps });
  const deepest = deepestNotionalOf(model) ?? clearable;
  const bounds = {
    lowest: smallestOf(market),
    highest: raw(min(min(limitUsdPips, uncapped), min(clearable, deepest))),
    near: lastMaxima.get(book) ?? 0n,
  };
  const within = withinListed(bounds, leverage);
  // Next to never does the liquidation at the worst fill bind at this leverage: the ladder itself confirms the size.
  const openable = largestOf((notional) => isTradable(market.leverageLimitOf(usdPips(notional))), within);
  const granted = isGranted(market, openable)
    ? openable
    : largestOf((notional) => isGranted(market, notional), { ...within, highest: openable });
  lastMaxima.set(book, granted);
  return usdPips(granted < bounds.lowest ? 0n : granted);
}

/** Return the smallest notional in pips that meets both minima at the minimum leverage. */
function smallestOf({ minCollateralUsdPips, minNotionalUsdPips }: SizeMarket): bigint {
  const floorUnits = raw(hints.collateralFloorOf(minCollateralUsdPips));
  const atFloor = toUsdPips(usdcUnits((floorUnits * raw(minLeverageBps)) / 10_000n), 'up');
  return raw(max(atFloor, minNotionalUsdPips));
}

/** Bounds of a search in pips, with a notional near which it begins. */
interface SearchBounds {
  readonly lowest: bigint;
  readonly highest: bigint;
  readonly near: bigint;
}

/** Narrow the bounds by the listed notionals: what each is granted has been computed. */
function withinListed(bounds: SearchBounds, leverage: SideLeverage): SearchBounds {
  let { lowest, highest } = bounds;
  for (const name of ['at100Usd', 'at500Usd', 'at1000Usd', 'at10000Usd'] as const) {
    const listed = raw(buckets[name]);
    if (listed < lowest || listed > highest) continue;
    if (isTradable(leverage[name])) lowest = listed;
    else highest = listed - 1n;
  }
  return { ...bounds, lowest, highest };
}

/**
 * Return the largest notional from lowest to highest for which a property holds that no larger one regains; less than
 * the lowest where it holds for none.
 */
function largestOf(holds: (notional: bigint) => boolean, { lowest, highest, near }: SearchBounds): bigint {
  if (highest < lowest || holds(highest)) return highest;
  let [low, high, next, step] = [lowest - 1n, highest, near, 1n];
  while (high - low > 1n) {
    // Steps that grow away from the last maximum, then halves of what they leave.
    const notional = low < next && next < high ? next : (low + high) / 2n;
    const isLarger = holds(notional);
    if (isLarger) low = notional;
    else high = notional;
    next = isLarger ? low + step : high - step;
    step *= 16n;
  }
  return low;
}

function isGranted(market: SizeMarket, notional: bigint): boolean {
  return isTradable(grantedLeverageOf(market, { notionalUsdPips: usdPips(notional), slippageBps }));
}
