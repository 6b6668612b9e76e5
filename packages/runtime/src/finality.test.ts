import type { PublicClient } from 'viem';
import { expect, test } from 'vitest';
import { finalBlockOf, finality } from './finality.ts';

/** Node that knows one final block and refuses every other tag. */
const nodeWith = (final: bigint) =>
  ({
    getBlock: ({ blockTag }: { blockTag: string }) =>
      blockTag === 'finalized' ? Promise.resolve({ number: final }) : Promise.reject(new Error(blockTag)),
  }) as object as PublicClient;

test.each([
  [finality.read('0'), 100n, 100n],
  [finality.read('64'), 100n, 36n],
  [finality.read('128'), 100n, 0n],
  [finality.read('finalized'), 100n, 90n],
  // A node that is ahead of the one which reported the head.
  [finality.read('finalized'), 80n, 80n],
])('final block: rule %s and head %s → %s', async (rule, head, expected) => {
  if (rule === undefined) throw new Error('every rule of the table is valid');
  expect(await finalBlockOf(nodeWith(90n), { finality: rule, head })).toBe(expected);
});

test('final block: a node that does not know it → null, and a number of blocks needs no answer', async () => {
  const node = { getBlock: () => Promise.reject(new Error('finalized block not found')) } as object as PublicClient;
  expect(await finalBlockOf(node, { finality: 'finalized', head: 100n })).toBe(null);
  expect(await finalBlockOf(node, { finality: 64n, head: 100n })).toBe(36n);
});

test.each(['', 'latest', '-1', '1.5', 'Finalized'])('finality: "%s" → undefined', (text) => {
  expect(finality.read(text)).toBeUndefined();
});
