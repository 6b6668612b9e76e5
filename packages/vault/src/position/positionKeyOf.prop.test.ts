import * as fc from 'fast-check';
import { encodeAbiParameters, keccak256, slice } from 'viem';
import { expect, test } from 'vitest';
import { anyAddress, anyChainId, hexBytes } from '../../testing/arbitraries.ts';
import { positionKeyOf } from './positionKeyOf.ts';
import { positionSeedFromDecimal, positionSeedOf, positionSeedToDecimal, randomDraftSeed } from './positionSeed.ts';

const anyPlace = fc.record({ chainId: anyChainId, vault: anyAddress, user: anyAddress, positionSeed: hexBytes(16) });

test('the key is the hash of the generic encoding', () => {
  fc.assert(
    fc.property(anyPlace, ({ chainId, vault, user, positionSeed }) => {
      const reference = keccak256(
        encodeAbiParameters(
          [{ type: 'uint256' }, { type: 'address' }, { type: 'address' }, { type: 'bytes12' }],
          [BigInt(chainId), vault, user, slice(positionSeed, 0, 12)],
        ),
      );
      expect(positionKeyOf({ chainId, vault, user, positionSeed })).toBe(reference);
    }),
  );
});

test('all promotions of one draft share one key and have different seeds', () => {
  fc.assert(
    fc.property(hexBytes(12), fc.uniqueArray(fc.integer({ min: 0, max: 0xffffffff }), { minLength: 2 }), (draft, n) => {
      const seeds = n.map((count) => positionSeedOf(draft, count));
      const place = { chainId: 1, vault: `0x${'11'.repeat(20)}`, user: `0x${'22'.repeat(20)}` } as const;
      expect(new Set(seeds).size).toBe(n.length);
      expect(new Set(seeds.map((positionSeed) => positionKeyOf({ ...place, positionSeed }))).size).toBe(1);
      for (const seed of seeds) expect(slice(seed, 0, 12)).toBe(draft);
    }),
  );
});

test('a seed survives its decimal form', () => {
  fc.assert(
    fc.property(hexBytes(16), (seed) => {
      expect(positionSeedFromDecimal(positionSeedToDecimal(seed))).toBe(seed);
    }),
  );
  expect(() => positionSeedFromDecimal((2n ** 128n).toString())).toThrow(RangeError);
  expect(() => positionSeedFromDecimal('-1')).toThrow(RangeError);
});

test('random draft seeds have twelve bytes and do not repeat', () => {
  const seeds = Array.from({ length: 1000 }, randomDraftSeed);
  expect(new Set(seeds).size).toBe(1000);
  for (const seed of seeds) expect(seed).toMatch(/^0x[0-9a-f]{24}$/);
});

test('malformed seeds throw RangeError', () => {
  expect(() => positionSeedOf('0x11', 0)).toThrow(RangeError);
  expect(() => positionSeedOf(`0x${'11'.repeat(12)}`, 2 ** 32)).toThrow(RangeError);
  expect(() => positionSeedOf(`0x${'11'.repeat(12)}`, -1)).toThrow(RangeError);
  const place = { chainId: 1, vault: `0x${'11'.repeat(20)}`, user: `0x${'22'.repeat(20)}` } as const;
  expect(() => positionKeyOf({ ...place, positionSeed: `0x${'11'.repeat(12)}` })).toThrow(RangeError);
});
