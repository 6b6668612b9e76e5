// oxlint-disable eslint/no-unused-expressions, vitest/expect-expect -- each directive is the expectation.
import { expectTypeOf, test } from 'vitest';
import {
  add,
  compare,
  type LeverageBps,
  leverageBps,
  type PricePips,
  pricePips,
  type RateBps,
  rateBps,
  subtract,
  type TokenUnits,
  tokenUnits,
  toUsdPips,
  type UsdcUnits,
  type UsdPips,
  usdcUnits,
  usdPips,
} from '../index.ts';

const pips = usdPips(1n);
const units = usdcUnits(1n);

test('constructors return their own kind', () => {
  expectTypeOf(pricePips(1n)).toEqualTypeOf<PricePips>();
  expectTypeOf(usdPips(1n)).toEqualTypeOf<UsdPips>();
  expectTypeOf(usdcUnits(1n)).toEqualTypeOf<UsdcUnits>();
  expectTypeOf(tokenUnits(1n)).toEqualTypeOf<TokenUnits>();
  expectTypeOf(leverageBps(1n)).toEqualTypeOf<LeverageBps>();
  expectTypeOf(rateBps(1n)).toEqualTypeOf<RateBps>();
});

test('no kind is assignable to another, nor to or from a bigint or a number', () => {
  expectTypeOf<PricePips>().not.toExtend<UsdPips>();
  expectTypeOf<UsdPips>().not.toExtend<UsdcUnits>();
  expectTypeOf<UsdcUnits>().not.toExtend<TokenUnits>();
  expectTypeOf<LeverageBps>().not.toExtend<RateBps>();
  expectTypeOf<UsdcUnits>().not.toExtend<bigint>();
  expectTypeOf<bigint>().not.toExtend<UsdcUnits>();
  expectTypeOf<number>().not.toExtend<UsdcUnits>();
});

test('arithmetic operators do not compile', () => {
  // @ts-expect-error amounts of different kinds
  pips + units;
  // @ts-expect-error amounts of one kind have `add`
  pips + pips;
  // @ts-expect-error an amount and a plain number of it
  units * 2n;
  // @ts-expect-error comparing different kinds
  void (pips < units);
  // @ts-expect-error scaling down
  units / 2n;
});

test('functions refuse mixed kinds', () => {
  // @ts-expect-error pips and units
  add(pips, units);
  // @ts-expect-error a price is no amount
  subtract(pips, pricePips(1n));
  // @ts-expect-error leverage is no rate
  compare(leverageBps(1n), rateBps(1n));
  // @ts-expect-error a plain bigint has no unit
  add(units, 1n);
  // @ts-expect-error rounding is never implied
  toUsdPips(units);
  // @ts-expect-error a JavaScript number is never money
  usdcUnits(1);
});
