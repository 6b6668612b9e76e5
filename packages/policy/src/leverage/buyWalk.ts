import { type BookLevel, raw, type TokenUnits, tokenUnits, toUsdcUnits, type UsdPips, walkAsks } from '@core/pricing';

/** Result of buying a notional down the asks. */
export interface BuyWalk {
  /** False when the asks end before the notional is spent. */
  readonly isComplete: boolean;
  readonly tokens: TokenUnits;
  /** Average price, scaled by 1e12; never lower for a larger notional. */
  readonly averagePriceE12: bigint;
  /** The same in whole pips, rounded up. */
  readonly averagePricePips: bigint;
}

/** Tokens are counted with thirty more decimals, so that no rounding makes a larger order look cheaper. */
const finer = 10n ** 30n;

/** Books are immutable, and views and quotes ask for the same sizes again: the last walks of each are kept. */
const lastWalks = new WeakMap<readonly BookLevel[], Map<bigint, BuyWalk>>();
const maxWalks = 32;

/** Buy down the asks, best first, with `notional` to spend. An empty side buys nothing at price zero. */
export function buyWalkOf(asks: readonly BookLevel[], notional: UsdPips): BuyWalk {
  const walks = lastWalks.get(asks) ?? new Map<bigint, BuyWalk>();
  const cached = walks.get(raw(notional));
  if (cached !== undefined) return cached;
  const walk = newWalkOf(asks, notional);
  if (walks.size === maxWalks) walks.clear();
  walks.set(raw(notional), walk);
  lastWalks.set(asks, walks);
  return walk;
}

function newWalkOf(asks: readonly BookLevel[], notional: UsdPips): BuyWalk {
  const walk = walkAsks({ asks, notionalUsdcUnits: toUsdcUnits(notional) });
  const spent = raw(walk.spentUsdcUnits);
  if (spent === 0n) return { isComplete: false, tokens: tokenUnits(0n), averagePriceE12: 0n, averagePricePips: 0n };
  let tokensFine = 0n;
  for (const fill of walk.fills) tokensFine += (raw(fill.usdcUnits) * 10_000n * finer) / raw(fill.pricePips);
  // Each fill may have lost less than one of the finest tokens: adding them back keeps a flat book at its price.
  const divisor = tokensFine + BigInt(walk.fills.length);
  return {
    isComplete: raw(walk.restUsdcUnits) === 0n,
    tokens: tokenUnits(tokensFine / finer),
    averagePriceE12: (spent * finer * 1_000_000_000_000n) / divisor,
    averagePricePips: (spent * 10_000n * finer + divisor - 1n) / divisor,
  };
}
