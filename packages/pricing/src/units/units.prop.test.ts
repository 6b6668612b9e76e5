// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  applyRate,
  compare,
  equals,
  formatCents,
  formatUsd,
  isZero,
  leverageOf,
  max,
  min,
  multiplyDivide,
  priceOf,
  pricePips,
  rateBps,
  ratioOf,
  raw,
  subtract,
  tokensFor,
  tokenUnits,
  toUsdcUnits,
  toUsdPips,
  usdcUnits,
  usdPips,
  valueOf,
} from '../index.ts';

const anyBigint = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const anyDivisor = anyBigint.filter((n) => n !== 0n);
const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 15n });
const anyPrice = fc.bigInt({ min: 1n, max: 10_000n }).map(pricePips);

describe('arithmetic', () => {
  test('down and up enclose the exact quotient and differ by one exactly when it is not whole', () => {
    fc.assert(
      fc.property(anyBigint, anyBigint, anyDivisor, (amount, multiplier, divisor) => {
        const down = raw(multiplyDivide(usdcUnits(amount), multiplier, divisor, 'down'));
        const up = raw(multiplyDivide(usdcUnits(amount), multiplier, divisor, 'up'));
        const dividend = divisor < 0n ? -amount * multiplier : amount * multiplier;
        const positive = divisor < 0n ? -divisor : divisor;
        expect(down * positive <= dividend && dividend < (down + 1n) * positive).toBe(true);
        expect(up * positive >= dividend && dividend > (up - 1n) * positive).toBe(true);
        expect(up - down).toBe(dividend % positive === 0n ? 0n : 1n);
      }),
    );
  });

  test('throws for a zero divisor', () => {
    expect(() => multiplyDivide(usdcUnits(1n), 1n, 0n, 'up')).toThrow(RangeError);
  });

  test('addition, subtraction, order and sign agree with whole numbers', () => {
    fc.assert(
      fc.property(anyBigint, anyBigint, (a, b) => {
        const [x, y] = [usdPips(a), usdPips(b)];
        expect(raw(subtract(add(x, y), y))).toBe(a);
        expect(raw(min(x, y)) + raw(max(x, y))).toBe(a + b);
        expect(compare(x, y)).toBe(compare(usdPips(a - b), usdPips(0n)));
        expect(compare(x, y) === -compare(y, x) || compare(x, y) === 0).toBe(true);
        expect(equals(x, y)).toBe(a === b);
        expect(isZero(x)).toBe(a === 0n);
      }),
    );
    expect(compare(usdPips(1n), usdPips(2n))).toBe(-1);
    expect(compare(usdPips(2n), usdPips(1n))).toBe(1);
    expect(compare(usdPips(2n), usdPips(2n))).toBe(0);
  });
});

describe('conversion', () => {
  test('toUsdPips: rounds losses down as well, and up never below the units', () => {
    fc.assert(
      fc.property(anyBigint, (amount) => {
        const units = usdcUnits(amount);
        const down = toUsdcUnits(toUsdPips(units, 'down'));
        const up = toUsdcUnits(toUsdPips(units, 'up'));
        expect(raw(down) <= amount && amount - raw(down) < 100n).toBe(true);
        expect(raw(up) >= amount && raw(up) - amount < 100n).toBe(true);
      }),
    );
    expect(raw(toUsdPips(usdcUnits(-1n), 'down'))).toBe(-1n);
    expect(raw(toUsdPips(usdcUnits(-1n), 'up'))).toBe(0n);
  });

  test('buying and valuing tokens never creates money', () => {
    fc.assert(
      fc.property(anyAmount, anyPrice, (amount, price) => {
        const money = usdcUnits(amount);
        const bought = tokensFor(money, price, 'down');
        expect(raw(valueOf(bought, price, 'down'))).toBeLessThanOrEqual(amount);
        expect(raw(valueOf(tokensFor(money, price, 'up'), price, 'up'))).toBeGreaterThanOrEqual(amount);
      }),
    );
  });

  test('the average price is between the prices it averages', () => {
    expect(raw(priceOf(usdcUnits(500_001n), tokenUnits(1_000_000n), 'down'))).toBe(5_000n);
    expect(raw(priceOf(usdcUnits(500_001n), tokenUnits(1_000_000n), 'up'))).toBe(5_001n);
    expect(() => priceOf(usdcUnits(1n), tokenUnits(0n), 'up')).toThrow(RangeError);
  });

  test('rates and ratios are exact on whole results', () => {
    expect(raw(applyRate(usdcUnits(10_001n), rateBps(1n), 'up'))).toBe(2n);
    expect(raw(applyRate(usdcUnits(10_001n), rateBps(1n), 'down'))).toBe(1n);
    expect(raw(ratioOf(usdcUnits(-1n), usdcUnits(3n), 'down'))).toBe(-3_334n);
    expect(raw(leverageOf(usdcUnits(5n), usdcUnits(3n)))).toBe(16_666n);
  });
});

describe('formatCents', () => {
  test('has one decimal, rounded to the nearest tenth, and no negative zero', () => {
    const cases: [bigint, string][] = [
      [0n, '0.0 ¢'],
      [4n, '0.0 ¢'],
      [5n, '0.1 ¢'],
      [-5n, '0.0 ¢'],
      [-6n, '−0.1 ¢'],
      [5_250n, '52.5 ¢'],
      [5_255n, '52.6 ¢'],
      [-1_500n, '−15.0 ¢'],
      [10_000n, '100.0 ¢'],
    ];
    for (const [amount, text] of cases) expect(formatCents(pricePips(amount))).toBe(text);
  });

  test('is within half a tenth of a cent of the price', () => {
    fc.assert(
      fc.property(anyBigint, (amount) => {
        const text = formatCents(pricePips(amount));
        expect(text).toMatch(/^−?(0|[1-9]\d*)\.\d ¢$/);
        const tenths = BigInt(text.replace(/[^\d]/g, '')) * (text.startsWith('−') ? -1n : 1n);
        const error = tenths * 10n - amount;
        expect(error >= -4n && error <= 5n).toBe(true);
      }),
    );
  });
});

describe('formatUsd', () => {
  test('has two to four decimals, is exact, and has no negative zero', () => {
    const cases: [bigint, string][] = [
      [0n, '0.00'],
      [1n, '0.0001'],
      [10n, '0.001'],
      [100n, '0.01'],
      [1_000n, '0.10'],
      [10_000n, '1.00'],
      [12_345n, '1.2345'],
      [12_340n, '1.234'],
      [-1n, '-0.0001'],
      [-1_234_500n, '-123.45'],
      [123_456_789_012_345n, '12345678901.2345'],
    ];
    for (const [amount, text] of cases) expect(formatUsd(usdPips(amount))).toBe(text);
  });

  test('parses back to the same pips', () => {
    fc.assert(
      fc.property(anyBigint, (amount) => {
        const text = formatUsd(usdPips(amount));
        expect(text).toMatch(/^-?(0|[1-9]\d*)\.\d{2}(\d{0,1}[1-9])?$/);
        const [whole = '', decimals = ''] = text.replace('-', '').split('.');
        const size = BigInt(whole) * 10_000n + BigInt(decimals.padEnd(4, '0'));
        expect(text.startsWith('-') ? -size : size).toBe(amount);
        if (amount === 0n) expect(text).toBe('0.00');
      }),
    );
  });
});
