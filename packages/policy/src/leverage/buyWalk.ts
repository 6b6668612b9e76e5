import { type BookLevel, raw, type TokenUnits, tokenUnits, type UsdPips } from '@core/pricing';

/** What buying a notional down the asks would give. */
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

/** Walks the asks, best first, with `notional` to spend. An empty side buys nothing at price zero. */
export function buyWalkOf(asks: readonly BookLevel[], notional: UsdPips): BuyWalk {
  let left = raw(notional) * 100n;
  const spendable = left;
  let tokensFine = 0n;
  let lossCount = 0n;
  for (const level of asks) {
    if (left === 0n) break;
    const price = raw(level.pricePips);
    const capacity = (raw(level.sizeTokenUnits) * price) / 10_000n;
    const spend = left < capacity ? left : capacity;
    tokensFine += (spend * 10_000n * finer) / price;
    lossCount += 1n;
    left -= spend;
  }
  if (tokensFine === 0n)
    return { isComplete: false, tokens: tokenUnits(0n), averagePriceE12: 0n, averagePricePips: 0n };
  const spent = spendable - left;
  // Each level may have lost less than one of the finest tokens: adding them back keeps a flat book at its price.
  const divisor = tokensFine + lossCount;
  return {
    isComplete: left === 0n,
    tokens: tokenUnits(tokensFine / finer),
    averagePriceE12: (spent * finer * 1_000_000_000_000n) / divisor,
    averagePricePips: (spent * 10_000n * finer + divisor - 1n) / divisor,
  };
}
