import * as fc from 'fast-check';
import { keccak256 } from 'viem';
import { expect, test } from 'vitest';
import { wasmKeccak256 } from './wasmKeccak256.ts';

test('any bytes, one after the other, have the hash that JavaScript finds', async () => {
  const hash = await wasmKeccak256();
  fc.assert(
    // Around the block of 136 bytes and its multiples, where padding takes another one.
    fc.property(fc.array(fc.uint8Array({ maxLength: 600 }), { minLength: 1, maxLength: 4 }), (texts) => {
      const hashes = texts.map(hash);
      expect(hashes).toEqual(texts.map((bytes) => keccak256(bytes, 'bytes')));
    }),
    { numRuns: 500 },
  );
});
