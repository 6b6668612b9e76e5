import * as fc from 'fast-check';
import { type Address, type Hex, numberToHex, TransactionReceiptNotFoundError } from 'viem';
import { expect, test } from 'vitest';
import { nonceUseOf } from './nonceUse.ts';

const address: Address = '0x00000000000000000000000000000000000000Aa';
const hashOf = (number: number): Hex => numberToHex(number, { size: 32 });

/** A chain in which each block has so many transactions of the account; the node has no state before `oldest`. */
function chainOf(counts: readonly number[], { oldest, final }: { readonly oldest: number; readonly final: number }) {
  const countAt = (number: number): number => counts.slice(0, number + 1).reduce((sum, count) => sum + count, 0);
  let readCount = 0;
  const client = {
    getBlockNumber: async () => BigInt(counts.length - 1),
    getTransactionCount: async (at: { readonly blockNumber?: bigint; readonly blockTag?: string }) => {
      readCount += 1;
      const number = at.blockTag === 'finalized' ? final : Number(at.blockNumber);
      if (at.blockTag === undefined && number < oldest) throw new Error('missing trie node');
      return countAt(number);
    },
    getBlock: async ({ blockNumber }: { readonly blockNumber: bigint }) => {
      const first = countAt(Number(blockNumber) - 1);
      const own = Array.from({ length: counts[Number(blockNumber)] ?? 0 }, (_, index) => first + index);
      const from = address.toLowerCase();
      const foreign = { from: '0x00000000000000000000000000000000000000bb', nonce: 0, hash: hashOf(999_999) };
      return { transactions: [foreign, ...own.map((nonce) => ({ from, nonce, hash: hashOf(nonce) }))] };
    },
    getTransactionReceipt: async ({ hash }: { readonly hash: Hex }): Promise<object> => {
      throw new TransactionReceiptNotFoundError({ hash });
    },
  };
  return { client, total: countAt(counts.length - 1), reads: () => readCount };
}

type Client = Parameters<typeof nonceUseOf>[0];
const clientOf = (client: object): Client => client as Client;

test('law: a nonce is used by another transaction exactly when a block holds one that is not ours', async () => {
  const worlds = fc.record({
    counts: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 300 }),
    nonce: fc.integer({ min: 0, max: 40 }),
    isOwn: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(worlds, async ({ counts, nonce, isOwn }) => {
      const { client, total, reads } = chainOf(counts, { oldest: 0, final: -1 });
      const hashes = [hashOf(500_000), ...(isOwn ? [hashOf(nonce)] : [])];
      const use = nonce >= total ? 'unused' : isOwn ? 'own' : 'other';
      expect(await nonceUseOf(clientOf(client), { address, nonce, hashes })).toBe(use);
      expect(reads()).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(counts.length + 1)) + 3);
    }),
  );
});

test('a node without the state of the block proves nothing before the use is final', async () => {
  const counts = [1, 1, 0, 0, 0, 0, 0, 0];
  const young = chainOf(counts, { oldest: 6, final: 0 });
  const target = { address, nonce: 1, hashes: [hashOf(7)] };
  expect(await nonceUseOf(clientOf(young.client), target)).toBe('unknown');
  expect(await nonceUseOf(clientOf(chainOf(counts, { oldest: 6, final: 1 }).client), target)).toBe('other');
});

test('a receipt that arrives between the requests → own; a node that does not answer for it → its error', async () => {
  const { client } = chainOf([1, 1], { oldest: 0, final: -1 });
  const hashes = [hashOf(7), hashOf(8)];
  const useWith = (answerOf: (hash: Hex) => Promise<object>) => {
    const getTransactionReceipt = ({ hash }: { readonly hash: Hex }) => answerOf(hash);
    return nonceUseOf(clientOf({ ...client, getTransactionReceipt }), { address, nonce: 1, hashes });
  };
  const missing = (hash: Hex) => client.getTransactionReceipt({ hash });
  expect(await useWith(missing)).toBe('other');
  expect(await useWith(async (hash) => (hash === hashOf(8) ? {} : missing(hash)))).toBe('own');
  await expect(useWith(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
});
