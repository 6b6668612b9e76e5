import { expect, test } from 'vitest';
import { isPlainPayout } from './readPayouts.ts';

test.each([
  [[1n, 0n], true],
  [[0n, 1_000_000n], true],
  [[1n, 1n], true],
  [[5n, 5n], true],
  [[3n, 1n], false],
  [[1n, 2n], false],
  [[0n, 0n], false],
  [[1n], false],
  [[1n, 0n, 0n], false],
])('%s is plain: %s', (numerators, isPlain) => {
  expect(isPlainPayout(numerators)).toBe(isPlain);
});
