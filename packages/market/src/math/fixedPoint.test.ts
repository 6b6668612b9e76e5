import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decayE12, expE12, integerSqrt, lnE12, logitE12, oneE12, sqrtE12 } from './fixedPoint.ts';

const toNumber = (valueE12: bigint) => Number(valueE12) / 1e12;

describe('fixed point', () => {
  test('integerSqrt is the floor of the root', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 60n), (radicand) => {
        const root = integerSqrt(radicand);
        expect(root * root <= radicand && (root + 1n) * (root + 1n) > radicand).toBe(true);
      }),
    );
    expect(() => integerSqrt(-1n)).toThrow(RangeError);
  });

  test('exp, decay, ln, sqrt and logit agree with floating point to ten digits', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 19n * oneE12), (exponent) => {
        expect(toNumber(expE12(exponent)) / Math.exp(toNumber(exponent))).toBeCloseTo(1, 10);
        expect(toNumber(decayE12(exponent))).toBeCloseTo(Math.exp(-toNumber(exponent)), 10);
        expect(toNumber(sqrtE12(exponent))).toBeCloseTo(Math.sqrt(toNumber(exponent)), 10);
      }),
    );
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), (argument) => {
        expect(toNumber(lnE12(argument))).toBeCloseTo(Math.log(Number(argument)), 9);
      }),
    );
    for (const pips of [1n, 100n, 2_500n, 5_000n, 9_900n, 9_999n]) {
      const p = Number(pips) / 10_000;
      expect(toNumber(logitE12(pips))).toBeCloseTo(Math.log(p / (1 - p)), 10);
    }
  });

  test('exp and logit never fall', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 25n * oneE12), fc.bigInt(0n, oneE12), (exponent, more) => {
        expect(expE12(exponent + more) >= expE12(exponent)).toBe(true);
      }),
    );
    for (let pips = 1n; pips < 9_999n; pips++) expect(logitE12(pips + 1n) > logitE12(pips)).toBe(true);
  });

  test('the logit is odd around one half', () => {
    expect(logitE12(5_000n)).toBe(0n);
    expect(logitE12(7_300n)).toBe(-logitE12(2_700n));
  });
});
