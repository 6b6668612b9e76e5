import { systemClock } from '@core/runtime';
import type { Lease } from '@core/store';
import pino from 'pino';
import type { TransactionReceipt } from 'viem';
import { expect, test } from 'vitest';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { type FollowOptions, followTransactionsTask } from './followTransactions.ts';
import type { Intent } from './intents.ts';

const intentAt = (number: number) =>
  ({ id: `int_${number}`, transactionHash: `0x${number}`, blockNumber: 1n, state: 'included' }) as Intent;
const lease: Lease = {
  name: 'keeper:index',
  fenceToken: 1n,
  signal: new AbortController().signal,
  release: () => Promise.resolve(),
};

/** One round over 250 included intents, of which the receipts that the test names cannot be read. */
async function followAll(isUnreadable: (hash: string) => boolean) {
  const finals: string[] = [];
  const metrics = createKeeperMetrics();
  const client = {
    getBlockNumber: () => Promise.resolve(10n),
    getTransactionReceipt: ({ hash }: { readonly hash: string }) =>
      isUnreadable(hash)
        ? Promise.reject(new Error('rubbish'))
        : Promise.resolve({ blockNumber: 1n } as TransactionReceipt),
  } as FollowOptions['client'];
  const task = followTransactionsTask({
    intents: {
      followed: () => Promise.resolve(Array.from({ length: 250 }, (_, number) => intentAt(number))),
      change: ({ id, to }) => {
        if (to === 'final') finals.push(id);
        return Promise.resolve(true);
      },
      transactions: () => Promise.resolve([]),
    },
    client,
    index: { chain: { cursor: () => Promise.resolve(null) }, chainKey: 'chain' },
    finality: 0n,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    metrics,
  });
  const failingCount = async () => (await metrics.failingItems.get()).values[0]?.value;
  return { run: () => task.run(lease), finals, failingCount };
}

test('included intents, the receipt of one cannot be read → the round succeeds, all others are final', async () => {
  const { run, finals, failingCount } = await followAll((hash) => hash === '0x0');
  await run();
  expect([finals.length, await failingCount()]).toEqual([249, 1]);
});

test('included intents, no receipt can be read → the round fails', async () => {
  const { run, finals } = await followAll(() => true);
  await expect(run()).rejects.toThrow(AggregateError);
  expect(finals).toEqual([]);
});
