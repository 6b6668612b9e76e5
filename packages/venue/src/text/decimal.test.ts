import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaledOf, toLevelPricePips, toPricePips, toPricePipsDown, toTokenUnits, toUsdPipsDown } from './decimal.ts';

test('a decimal written from an integer reads back as that integer, exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 12 }), (whole, decimals) => {
      const digits = String(whole).padStart(decimals + 1, '0');
      const split = digits.length - decimals;
      const text = decimals === 0 ? digits : `${digits.slice(0, split)}.${digits.slice(split)}`;
      expect(scaledOf(text, decimals, 'exact')).toBe(whole);
      expect(scaledOf(`-${text}`, decimals, 'exact')).toBe(-whole);
      expect(scaledOf(`${digits}e-${decimals}`, decimals, 'exact')).toBe(whole);
    }),
  );
});

test('rounding down goes towards minus infinity and never further than one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (hundredths) => {
      const magnitude = hundredths < 0n ? -hundredths : hundredths;
      const text = `${hundredths < 0n ? '-' : ''}${magnitude / 100n}.${String(magnitude % 100n).padStart(2, '0')}`;
      const floor = scaledOf(text, 0, 'down') ?? 0n;
      expect(floor * 100n <= hundredths).toBe(true);
      expect((floor + 1n) * 100n > hundredths).toBe(true);
    }),
  );
});

test('every tick of the venue is a whole number of pips; the smallest is exactly one', () => {
  const ticks = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001', '1e-4', 1e-4, 0.0025].map(String);
  expect(ticks.map(toPricePips)).toEqual([1_000n, 100n, 50n, 25n, 10n, 1n, 1n, 1n, 25n]);
});

test.each(['', '.', '-', 'abc', '1,5', '0x10', 'NaN', 'Infinity', '1e', '1e9999', ' 1', '1 ', '--1', '9'.repeat(101)])(
  '%j is no decimal',
  (text) => {
    expect(scaledOf(text, 4, 'down')).toBeNull();
  },
);

test('prices finer than a pip or outside 0 to 1 are refused, unless they are to be rounded down', () => {
  expect(toPricePips('0.00001')).toBeNull();
  expect(toPricePips('1.0001')).toBeNull();
  expect(toPricePips('-0.01')).toBeNull();
  expect(toPricePipsDown('0.00019')).toBe(1n);
  expect(toPricePipsDown('1.1')).toBeNull();
});

test('a book level lies strictly between 0 and 1', () => {
  expect(toLevelPricePips('0')).toBeNull();
  expect(toLevelPricePips('1')).toBeNull();
  expect(toLevelPricePips('0.9999')).toBe(9_999n);
});

test('sizes and volumes', () => {
  expect(toTokenUnits('97895.02')).toBe(97_895_020_000n);
  expect(toTokenUnits('0.0000001')).toBeNull();
  expect(toTokenUnits('-1')).toBeNull();
  expect(toUsdPipsDown('1940.8997739999998')).toBe(19_408_997n);
});
