import * as fc from 'fast-check';
import { type Hex, numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { isManagedToken, managedTokenIdsOf, tokenRouteOf } from './outcomeLedger.ts';

const anyHash = fc.bigInt({ min: 1n, max: 2n ** 128n - 1n });
const conditionOf = (hash: bigint): bigint => (1n << 248n) | (hash << 120n);
const hexOf = (condition: bigint): Hex => numberToHex(condition, { size: 32 });

test('managedTokenIdsOf: returns the condition itself and its successor for a native binary condition', () => {
  fc.assert(
    fc.property(anyHash, (hash) => {
      const condition = conditionOf(hash);
      expect(managedTokenIdsOf(hexOf(condition))).toEqual([condition, condition + 1n]);
      expect([condition, condition + 1n].every(isManagedToken)).toBe(true);
    }),
  );
});

test('isManagedToken: refuses an id in which any bit differs that a native binary id fixes', () => {
  const fixedBits = [
    ...Array.from({ length: 8 }, (_, bit) => 248 + bit),
    ...Array.from({ length: 119 }, (_, n) => n + 1),
  ];
  fc.assert(
    fc.property(anyHash, fc.constantFrom(...fixedBits), (hash, bit) => {
      const other = conditionOf(hash) ^ (1n << BigInt(bit));
      expect([isManagedToken(other), managedTokenIdsOf(hexOf(other))]).toEqual([false, null]);
    }),
  );
});

test.each([
  ['no hash', 1n << 248n],
  ['an outcome in its last byte', conditionOf(5n) | 1n],
  ['a negative-risk module', (2n << 248n) | (5n << 120n)],
  ['a module of combinations', (3n << 248n) | (5n << 120n)],
])('managedTokenIdsOf: refuses a condition with %s', (_name, condition) => {
  expect(managedTokenIdsOf(hexOf(condition))).toBeNull();
});

test('isManagedToken: refuses an id beyond 256 bits', () => {
  expect(isManagedToken((1n << 256n) | conditionOf(5n))).toBe(false);
});

test('tokenRouteOf: outcomes of the PositionManager have grants, others the route of the service', () => {
  const managed = conditionOf(5n).toString();
  expect(['direct', 'fill'].map((route) => tokenRouteOf(route, managed))).toEqual(['fill', 'fill']);
  expect(['direct', 'fill'].map((route) => tokenRouteOf(route, '7'))).toEqual(['direct', 'fill']);
});
