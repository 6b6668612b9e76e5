import { divideAmount, type Rounding } from './arithmetic.ts';
import {
  type LeverageBps,
  leverageBps,
  type PricePips,
  pricePips,
  type Quantity,
  type RateBps,
  rateBps,
  raw,
  sameKind,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  type UsdPips,
  usdcUnits,
  usdPips,
} from './quantity.ts';

/** Basis points in one whole, pips in one USD, and the scale between token units and USDC units per pip. */
export const wholeBps = 10_000n;

/**
 * Convert USDC units to pips: `down` for balances, receipts, limits and every PnL; `up` for amounts that a user pays.
 */
export function toUsdPips(units: UsdcUnits, rounding: Rounding): UsdPips {
  return usdPips(divideAmount(raw(units), 100n, rounding));
}

/** Convert pips to USDC units; exact. */
export function toUsdcUnits(pips: UsdPips): UsdcUnits {
  return usdcUnits(raw(pips) * 100n);
}

/** Return the worth of tokens at a price: tokens × price / 10,000, in USDC units. */
export function valueOf(tokens: TokenUnits, price: PricePips, rounding: Rounding): UsdcUnits {
  return usdcUnits(divideAmount(raw(tokens) * raw(price), wholeBps, rounding));
}

/**
 * Return the tokens that money buys at a price: money × 10,000 / price.
 *
 * @throws RangeError at price zero.
 */
export function tokensFor(money: UsdcUnits, price: PricePips, rounding: Rounding): TokenUnits {
  return tokenUnits(divideAmount(raw(money) * wholeBps, raw(price), rounding));
}

/**
 * Return the average price of tokens: money × 10,000 / tokens.
 *
 * @throws RangeError without tokens.
 */
export function priceOf(money: UsdcUnits, tokens: TokenUnits, rounding: Rounding): PricePips {
  return pricePips(divideAmount(raw(money) * wholeBps, raw(tokens), rounding));
}

/** Apply a rate: q × rate / 10,000. */
export function applyRate<Q extends Quantity>(q: Q, rate: RateBps, rounding: Rounding): Q {
  return sameKind(q, divideAmount(raw(q) * raw(rate), wholeBps, rounding));
}

/**
 * Return a ratio: part × 10,000 / whole, in basis points.
 *
 * @throws RangeError when the whole is zero.
 */
export function ratioOf<Q extends Quantity>(part: Q, whole: NoInfer<Q>, rounding: Rounding): RateBps {
  return rateBps(divideAmount(raw(part) * wholeBps, raw(whole), rounding));
}

/**
 * Return exposure × 10,000 / equity as leverage, rounded down.
 *
 * @throws RangeError when the equity is zero.
 */
export function leverageOf(exposure: UsdcUnits, equity: UsdcUnits): LeverageBps {
  return leverageBps(divideAmount(raw(exposure) * wholeBps, raw(equity), 'down'));
}
