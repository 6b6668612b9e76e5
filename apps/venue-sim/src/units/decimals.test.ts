import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cashOf,
  formatDecimal,
  formatLastTrade,
  formatPrice,
  formatSize,
  parseDecimal,
  wholeSteps,
} from './decimals.ts';

describe('numbers of the wire', () => {
  it('survive a round trip', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.integer({ min: 0, max: 8 }), (value, decimals) => {
        expect(parseDecimal(formatDecimal(value, decimals), decimals)).toBe(value);
      }),
    );
  });

  it('have the format of the venue', () => {
    expect([formatPrice(1_000n), formatPrice(25n), formatPrice(10_000n)]).toEqual(['0.1', '0.0025', '1']);
    expect([formatSize(97_895_020_000n), formatSize(16_850_000_000n)]).toEqual(['97895.02', '16850']);
    expect([formatLastTrade(5_100n), formatLastTrade(400n), formatLastTrade(4_915n), formatLastTrade(null)]).toEqual([
      '0.510',
      '0.040',
      '0.4915',
      '',
    ]);
  });

  it('reject other text and too many decimals', () => {
    for (const text of ['', '-1', '1e3', '.5', '1.', ' 1', '0x1', '1,5', '0.12345']) {
      expect(parseDecimal(text, 4)).toBeNull();
    }
    expect(parseDecimal('0.12340', 4)).toBe(1_234n);
  });

  it('multiply exactly on the grid', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.bigInt({ min: 1n, max: 9_999n }), (steps, pips) => {
        const size = steps * 10_000n;
        expect(cashOf(size, pips) * 10_000n).toBe(size * pips);
        expect(wholeSteps(size + 9_999n)).toBe(size);
      }),
    );
  });
});
