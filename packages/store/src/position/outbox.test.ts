import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, sampleNowMs, type TestStore, walletOf } from '../../testing/index.ts';
import type { OutboxEntry } from './outbox.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore(12);
});
afterAll(() => opened.close());

const entryOf = (id: string, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
  id: `evt_${id}`,
  type: 'position.opened',
  partnerId: 'ptn_1',
  walletAddress: walletOf(0),
  positionId: 'pos_1',
  marketId: null,
  payload: { tokenUnits: 5n },
  createdAtMs: sampleNowMs,
  ...changes,
});

test('an event id is written once and its payload survives', async () => {
  const { outbox } = opened.store;
  await outbox.append([entryOf('once'), entryOf('once')]);
  await outbox.append([entryOf('once', { type: 'position.closed' })]);
  const sequence = (await outbox.sequenceOf('evt_once')) ?? 0n;
  expect(await outbox.readAfter({ after: sequence - 1n, limit: 5 })).toEqual([{ ...entryOf('once'), sequence }]);
  expect(await outbox.sequenceOf('evt_none')).toBeNull();
});

test('a reader that follows the sequence misses nothing that commits late', async () => {
  const { outbox } = opened.store;
  const start = await outbox.lastSequence();
  const seen: string[] = [];
  let cursor = start;
  const writers = new AbortController();
  const read = async (): Promise<void> => {
    while (!writers.signal.aborted || cursor < (await outbox.lastSequence())) {
      const events = await outbox.readAfter({ after: cursor, limit: 50 });
      seen.push(...events.map(({ id }) => id));
      cursor = events.at(-1)?.sequence ?? cursor;
    }
  };
  const reading = read();
  const writing = Array.from({ length: 60 }, (_, index) =>
    opened.store.transaction(async (unit) => {
      await unit.outbox.append([entryOf(`late_${index}`)]);
      // Some transactions stay open long after they took their number.
      await new Promise((resolve) => setTimeout(resolve, (index * 7) % 15));
      await unit.outbox.append([entryOf(`late_${index}_b`)]);
    }),
  );
  await Promise.all(writing);
  writers.abort();
  await reading;
  expect(new Set(seen).size).toBe(120);
});

test('readers see their own partner and wallet, and old events go', async () => {
  const { outbox } = opened.store;
  await outbox.append([
    entryOf('a', { partnerId: 'ptn_a' }),
    entryOf('b', { partnerId: 'ptn_a', walletAddress: walletOf(1) }),
    entryOf('c', { partnerId: 'ptn_a', createdAtMs: sampleNowMs - 10 }),
  ]);
  const ids = async (query: object) =>
    (await outbox.readAfter({ after: 0n, limit: 100, ...query })).map(({ id }) => id);
  expect(await ids({ partnerId: 'ptn_a' })).toEqual(['evt_a', 'evt_b', 'evt_c']);
  expect(await ids({ partnerId: 'ptn_a', walletAddress: walletOf(1) })).toEqual(['evt_b']);
  expect(await outbox.removeOlderThan(sampleNowMs)).toBe(1);
});

test('a subscriber is woken by a commit and not by a rollback', async () => {
  const { outbox } = opened.store;
  let wakeCount = 0;
  const subscription = await outbox.subscribe(() => {
    wakeCount += 1;
  });
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));
  await settled();
  const before = wakeCount;
  await opened.store
    .transaction(async (unit) => {
      await unit.outbox.append([entryOf('rolled_back')]);
      throw new Error('stop');
    })
    .catch(() => undefined);
  await settled();
  expect(wakeCount).toBe(before);
  await outbox.append([entryOf('committed')]);
  await settled();
  expect(wakeCount).toBeGreaterThan(before);
  await subscription.close();
  expect(await outbox.sequenceOf('evt_rolled_back')).toBeNull();
});
