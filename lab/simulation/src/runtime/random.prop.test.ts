import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from './random.ts';

const numbersOf = (random: Random): number[] => Array.from({ length: 20 }, () => random.next());

test('a seed and a stream → the same numbers, within their bounds; another stream → others', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(1_000), fc.integer({ min: 1, max: 1_000 }), (seed, low, width) => {
      expect(numbersOf(new Random(seed, 'a'))).toEqual(numbersOf(new Random(seed, 'a')));
      expect(numbersOf(new Random(seed, 'a'))).not.toEqual(numbersOf(new Random(seed, 'b')));
      const number = new Random(seed, 'a').between(low, low + width);
      expect(number).toBeGreaterThanOrEqual(low);
      expect(number).toBeLessThan(low + width);
      expect(new Random(seed, 'a').oneOf([low])).toBe(low);
    }),
  );
});

test('fillView: part of a view → the rest stays, and all 256 bytes occur', () => {
  const bytes = new Random(1, 'bytes');
  const view = new Uint8Array(10_000);
  bytes.fillView(view, 10, 9_980);
  expect(view.subarray(0, 10).every((byte) => byte === 0)).toBe(true);
  expect(view.subarray(-10).every((byte) => byte === 0)).toBe(true);
  expect(new Set(view).size).toBe(256);
});
