import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFirstBlock } from './findFirstBlock.ts';

test('first block: a deployment anywhere on a chain → its block, in at most ten rounds', async () => {
  const chain = fc.bigInt(0n, 100_000_000n).chain((head) => fc.tuple(fc.bigInt(0n, head), fc.constant(head)));
  await fc.assert(
    fc.asyncProperty(chain, async ([first, head]) => {
      let requests = 0;
      const hasCodeAt = async (block: bigint) => {
        requests += 1;
        return block >= first;
      };
      expect(await findFirstBlock(hasCodeAt, head)).toBe(first);
      expect(requests).toBeLessThanOrEqual(71);
    }),
  );
});

test('first block: a node without old state → 0', async () => {
  const hasCodeAt = (block: bigint) =>
    block < 900n ? Promise.reject(new Error('missing trie node')) : Promise.resolve(true);
  expect(await findFirstBlock(hasCodeAt, 1_000n)).toBe(0n);
});

test('first block: no code at the head → 0', async () => {
  expect(await findFirstBlock(() => Promise.resolve(false), 1_000n)).toBe(0n);
});
