import { constants } from '../constants.ts';
import { divide, max, min, type Rounding, subtract } from '../units/arithmetic.ts';
import { tokensFor, valueOf } from '../units/conversion.ts';
import { type PricePips, pricePips, raw, type TokenUnits, tokenUnits, type UsdcUnits } from '../units/quantity.ts';

const { minOrderTokenUnits, shareStepTokenUnits, dustTokenUnits, minPartialCloseBps } = constants;
const noTokens = tokenUnits(0n);

/** Tokens on the venue's grid of 0.01 token. */
export function toShareStep(tokens: TokenUnits, rounding: Rounding): TokenUnits {
  const step = raw(shareStepTokenUnits);
  return tokenUnits(divide(raw(tokens), step, rounding) * step);
}

/** A price on the market's tick. @throws RangeError at tick zero. */
export function toTick(price: PricePips, tickPricePips: PricePips, rounding: Rounding): PricePips {
  const tick = raw(tickPricePips);
  return pricePips(divide(raw(price), tick, rounding) * tick);
}

/** True when a position is finished: what it holds is dust, which stays claimable. */
export function isDust(tokens: TokenUnits): boolean {
  return raw(tokens) < raw(dustTokenUnits);
}

/** An order at an exact price for whole steps of 0.01 token. */
export interface GridOrder {
  readonly tokenUnits: TokenUnits;
  readonly usdcUnits: UsdcUnits;
  readonly pricePips: PricePips;
}

/**
 * The largest buy on the grid that spends at most a budget at a limit price: at most a cent stays unspent. The money
 * is exact, because a step of 0.01 token at a whole pip is a whole number of units.
 * @throws RangeError at limit zero.
 */
export function buyOrderOf(budgetUsdcUnits: UsdcUnits, limitPricePips: PricePips): GridOrder {
  const tokens = toShareStep(tokensFor(budgetUsdcUnits, limitPricePips, 'down'), 'down');
  return { tokenUnits: tokens, usdcUnits: valueOf(tokens, limitPricePips, 'down'), pricePips: limitPricePips };
}

/** A sale on the grid at a limit price: tokens rounded down to 0.01, money the least it brings. */
export function sellOrderOf(offered: TokenUnits, limitPricePips: PricePips): GridOrder {
  const tokens = toShareStep(offered, 'down');
  return { tokenUnits: tokens, usdcUnits: valueOf(tokens, limitPricePips, 'down'), pricePips: limitPricePips };
}

/**
 * The sale the venue and the vault allow when at least `wanted` should go: at least 5 tokens, on the grid, leaving
 * nothing but dust or at least 5 tokens. Rounds up towards selling more; 0 when no sale is possible.
 */
export function saleSizeOf(wanted: TokenUnits, held: TokenUnits): TokenUnits {
  const whole = toShareStep(held, 'down');
  if (raw(wanted) <= 0n || raw(whole) < raw(minOrderTokenUnits)) return noTokens;
  const sale = max(toShareStep(wanted, 'up'), minOrderTokenUnits);
  const left = subtract(held, sale);
  return raw(left) < raw(minOrderTokenUnits) ? whole : min(sale, whole);
}

/** What a user may ask to close in part. */
export interface PartialCloseRange {
  readonly minPartialCloseTokenUnits: TokenUnits;
  readonly maxPartialCloseTokenUnits: TokenUnits;
}

/** Range of a partial close: at least a fifth of what was delivered (rounded up) and 5 tokens, leaving 5; else 0, 0. */
export function partialCloseRangeOf(delivered: TokenUnits, held: TokenUnits): PartialCloseRange {
  const fifth = tokenUnits(divide(raw(delivered) * raw(minPartialCloseBps), 10_000n, 'up'));
  const least = max(fifth, minOrderTokenUnits);
  const most = subtract(held, minOrderTokenUnits);
  const isPossible = raw(most) >= raw(least);
  return {
    minPartialCloseTokenUnits: isPossible ? least : noTokens,
    maxPartialCloseTokenUnits: isPossible ? most : noTokens,
  };
}
