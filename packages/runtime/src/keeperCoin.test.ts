import { expect, test } from 'vitest';
import { coinLevelOf, coinNeedsOf } from './keeperCoin.ts';

const gweiWei = 1_000_000_000n;

test('needs: ten transactions of 600,000 gas before anything opens, fifty in reserve', () => {
  expect(coinNeedsOf(100n * gweiWei)).toEqual({ minimumWei: 6n * 10n ** 17n, reserveWei: 3n * 10n ** 18n });
});

test('needs: the price of gas doubles → they double', () => {
  const needs = coinNeedsOf(7n);
  const doubled = coinNeedsOf(14n);
  expect(doubled.minimumWei).toBe(2n * needs.minimumWei);
  expect(doubled.reserveWei).toBe(2n * needs.reserveWei);
});

test.each([
  [0n, 'short'],
  [5_999_999n, 'short'],
  [6_000_000n, 'low'],
  [29_999_999n, 'low'],
  [30_000_000n, 'enough'],
])('level: %i wei at a fee of 1 wei → %s', (balanceWei, level) => {
  expect(coinLevelOf({ balanceWei, ...coinNeedsOf(1n) })).toBe(level);
});
