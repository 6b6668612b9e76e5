import { constants } from '../constants.ts';
import { divide, max, type Rounding, subtract } from '../units/arithmetic.ts';
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

/** A sale on the grid at a limit price: tokens rounded down to 0.01, money the minimum it brings. */
export function sellOrderOf(available: TokenUnits, limitPricePips: PricePips): GridOrder {
  const tokens = toShareStep(available, 'down');
  return { tokenUnits: tokens, usdcUnits: valueOf(tokens, limitPricePips, 'down'), pricePips: limitPricePips };
}

/** What a user may ask to close in part. */
export interface PartialCloseRange {
  readonly minPartialCloseTokenUnits: TokenUnits;
  readonly maxPartialCloseTokenUnits: TokenUnits;
}

/** Range of a partial close: at least a fifth of what was delivered (rounded up) and 5 tokens, leaving 5; else 0, 0. */
export function partialCloseRangeOf(delivered: TokenUnits, held: TokenUnits): PartialCloseRange {
  const fifth = tokenUnits(divide(raw(delivered) * raw(minPartialCloseBps), 10_000n, 'up'));
  const minimum = max(fifth, minOrderTokenUnits);
  const maximum = subtract(held, minOrderTokenUnits);
  const isPossible = raw(maximum) >= raw(minimum);
  return {
    minPartialCloseTokenUnits: isPossible ? minimum : noTokens,
    maxPartialCloseTokenUnits: isPossible ? maximum : noTokens,
  };
}
