import { constants } from '../constants.ts';
import { divide, max, type Rounding, subtract } from '../units/arithmetic.ts';
import { tokensFor, valueOf } from '../units/conversion.ts';
import {
  type PricePips,
  pricePips,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '../units/quantity.ts';
import { type AmountDecimals, type AmountKind, amountTable, type PriceDecimals } from './amountTable.ts';

const { minOrderTokenUnits, shareStepTokenUnits, dustTokenUnits, minPartialCloseBps } = constants;
const noTokens = tokenUnits(0n);

/** Round tokens to the venue's step of 0.01 token. */
export function toShareStep(tokens: TokenUnits, rounding: Rounding): TokenUnits {
  const step = raw(shareStepTokenUnits);
  return tokenUnits(divide(raw(tokens), step, rounding) * step);
}

/**
 * Round a price to the market's tick.
 *
 * @throws RangeError at tick zero.
 */
export function toTick(price: PricePips, tickPricePips: PricePips, rounding: Rounding): PricePips {
  const tick = raw(tickPricePips);
  return pricePips(divide(raw(price), tick, rounding) * tick);
}

/** Return true when a position is finished: its balance is dust, which stays claimable. */
export function isDust(tokens: TokenUnits): boolean {
  return raw(tokens) < raw(dustTokenUnits);
}

/** Steps of an order's two amounts. */
export interface AmountSteps {
  readonly tokenUnits: bigint;
  readonly usdcUnits: bigint;
}

/** Return the step of an amount with the given decimals, in units of six decimals. */
const stepOf = (decimals: number): bigint => 10n ** BigInt(6 - decimals);

function priceDecimalsOf(tickPricePips: PricePips): PriceDecimals {
  const tick = raw(tickPricePips);
  if (tick % 1_000n === 0n) return 1;
  if (tick % 100n === 0n) return 2;
  return tick % 10n === 0n ? 3 : 4;
}

/** Return the decimals of both amounts of an order at a tick. */
export function amountDecimalsOf(kind: AmountKind, tickPricePips: PricePips): AmountDecimals {
  return amountTable[priceDecimalsOf(tickPricePips)][kind];
}

/** Return the steps of both amounts of an order at a tick. */
export function amountStepsOf(kind: AmountKind, tickPricePips: PricePips): AmountSteps {
  const { shares, money } = amountDecimalsOf(kind, tickPricePips);
  return { tokenUnits: stepOf(shares), usdcUnits: stepOf(money) };
}

/** Immediate order with amounts that the venue accepts. */
export interface GridOrder {
  readonly tokenUnits: TokenUnits;
  readonly usdcUnits: UsdcUnits;
  /**
   * Price on the tick. The amounts of a purchase imply a slightly higher price, those of a sale a slightly lower one.
   */
  readonly pricePips: PricePips;
}

/** Price with the tick of its market. */
export interface TickPrice {
  readonly pricePips: PricePips;
  readonly tickPricePips: PricePips;
}

/**
 * Return the largest purchase that spends at most a budget at a price: money in whole cents, shares rounded down.
 * Rounded up they would imply a price below the tick, and the order would never meet an ask at it.
 * @throws RangeError at price zero.
 */
export function buyOrderOf(budgetUsdcUnits: UsdcUnits, { pricePips: price, tickPricePips }: TickPrice): GridOrder {
  const steps = amountStepsOf('immediateBuy', tickPricePips);
  const money = usdcUnits(divide(raw(budgetUsdcUnits), steps.usdcUnits, 'down') * steps.usdcUnits);
  const tokens = divide(raw(tokensFor(money, price, 'down')), steps.tokenUnits, 'down') * steps.tokenUnits;
  return { tokenUnits: tokenUnits(tokens), usdcUnits: money, pricePips: price };
}

/** Return a sale at a price: tokens rounded down to 0.01, and the minimum proceeds, rounded down. */
export function sellOrderOf(available: TokenUnits, { pricePips: price, tickPricePips }: TickPrice): GridOrder {
  const steps = amountStepsOf('immediateSell', tickPricePips);
  const tokens = toShareStep(available, 'down');
  const money = divide(raw(valueOf(tokens, price, 'down')), steps.usdcUnits, 'down') * steps.usdcUnits;
  return { tokenUnits: tokens, usdcUnits: usdcUnits(money), pricePips: price };
}

/** Range of tokens that a partial close may sell. */
export interface PartialCloseRange {
  readonly minPartialCloseTokenUnits: TokenUnits;
  readonly maxPartialCloseTokenUnits: TokenUnits;
}

/**
 * Return the range of a partial close: at least a fifth of the delivered tokens (rounded up) and 5 tokens, leaving 5;
 * else 0, 0.
 */
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
