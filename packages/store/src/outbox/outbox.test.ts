import { sampleNowMs, walletOf } from '@core/position/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, settledEvents, type TestStore } from '../../testing/index.ts';
import { migrate } from '../database/migrate.ts';
import type { Store } from '../openStore.ts';
import {
  comparePlaces,
  type EventAudience,
  type EventPlace,
  isSeenBy,
  type OutboxEntry,
  type OutboxRecord,
} from './outbox.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore(12);
});
afterAll(() => opened.close());

const start: EventPlace = { transactionId: 0n, sequence: 0n };
const entryOf = (id: string, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
  id: `evt_${id}`,
  type: 'position.opened',
  partnerId: 'ptn_1',
  walletAddress: walletOf(0),
  positionId: null,
  marketId: null,
  payload: { tokenUnits: 5n },
  createdAtMs: sampleNowMs,
  ...changes,
});
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Follows the outbox from a place until `isDone`, as a process does. */
async function follow(
  outbox: Store['outbox'],
  from: EventPlace,
  isDone: (seen: readonly OutboxRecord[]) => boolean,
): Promise<readonly OutboxRecord[]> {
  const seen: OutboxRecord[] = [];
  let place = from;
  while (!isDone(seen)) {
    const { records } = await outbox.settledAfter(place, 7);
    seen.push(...records);
    place = records.at(-1) ?? place;
    await pause(1);
  }
  return seen;
}

const idsOf = (records: readonly OutboxRecord[]): readonly string[] => records.map(({ id }) => id);

test('an event id is written once and its payload survives', async () => {
  const { outbox } = opened.store;
  const from = await outbox.settledPlace();
  expect(await outbox.append([entryOf('once'), entryOf('once')])).toEqual(['evt_once']);
  expect(await outbox.append([entryOf('once', { type: 'position.closed' })])).toEqual([]);
  const [record] = await follow(outbox, from, (seen) => seen.length > 0);
  expect(record).toMatchObject({ ...entryOf('once'), transactionId: expect.any(BigInt), sequence: expect.any(BigInt) });
});

test('a reader misses nothing that commits late and sees nothing twice', async () => {
  const { outbox } = opened.store;
  const from = await outbox.settledPlace();
  const reading = follow(outbox, from, (seen) => seen.length >= 120);
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      opened.store.transaction(async (unit) => {
        await unit.outbox.append([entryOf(`late_${index}`)]);
        // Some transactions stay open long after they took their number.
        await pause((index * 7) % 15);
        await unit.outbox.append([entryOf(`late_${index}_b`)]);
      }),
    ),
  );
  const seen = await reading;
  expect(new Set(idsOf(seen)).size).toBe(120);
  expect(seen).toHaveLength(120);
  expect(seen.toSorted(comparePlaces)).toEqual(seen);
});

test('an event behind a transaction that still runs is announced as coming, and comes after it', async () => {
  const { outbox } = opened.store;
  const from = await outbox.settledPlace();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let hasWritten: () => void = () => undefined;
  const written = new Promise<void>((resolve) => {
    hasWritten = resolve;
  });
  const slow = opened.store.transaction(async (unit) => {
    await unit.outbox.append([entryOf('slow')]);
    hasWritten();
    await held;
  });
  await written;
  await outbox.append([entryOf('quick')]);
  expect(await outbox.settledAfter(from, 10)).toEqual({ records: [], isMoreComing: true });
  release();
  await slow;
  expect(idsOf(await follow(outbox, from, (seen) => seen.length === 2))).toEqual(['evt_slow', 'evt_quick']);
});

test("a position's events come in the order in which they were written, whichever transaction began first", async () => {
  const { outbox, transaction } = opened.store;
  const from = await outbox.settledPlace();
  let attemptCount = 0;
  let goOn: () => void = () => undefined;
  const other = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const early = transaction(async (unit) => {
    attemptCount += 1;
    // Takes the transaction's number before the other one takes its own, and writes after it.
    await unit.outbox.append([entryOf(`number_${attemptCount}`)]);
    await other;
    await unit.outbox.append([entryOf('second', { positionId: 'pos_ordered' })]);
  });
  await pause(20);
  await outbox.append([entryOf('first', { positionId: 'pos_ordered' })]);
  goOn();
  await early;
  expect(attemptCount).toBe(2);
  const seen = await follow(outbox, from, (records) => records.length >= 3);
  expect(idsOf(seen.filter(({ positionId }) => positionId === 'pos_ordered'))).toEqual(['evt_first', 'evt_second']);
});

test('each audience reads its own events again, and none of another', async () => {
  const { outbox } = opened.store;
  await outbox.append([
    entryOf('a', { partnerId: 'ptn_a' }),
    entryOf('b', { partnerId: 'ptn_a', walletAddress: walletOf(1).toUpperCase().replace('0X', '0x') }),
    entryOf('c', { partnerId: 'ptn_a', type: 'notification' }),
    entryOf('d', { partnerId: null, walletAddress: null, type: 'market.updated' }),
  ]);
  const user = { kind: 'user' as const, partnerId: 'ptn_a', walletAddress: walletOf(0) };
  const partner = { kind: 'partner' as const, partnerId: 'ptn_a' };
  const markets = { kind: 'markets' as const };
  await settledEvents(outbox);
  const upTo = await outbox.settledPlace();
  const ids = async (audience: EventAudience, after = start) =>
    idsOf(await outbox.ownAfter({ audience, after, upTo, limit: 100 }));
  expect(await ids(user)).toEqual(['evt_a', 'evt_c']);
  expect(await ids({ ...user, walletAddress: walletOf(1) })).toEqual(['evt_b']);
  expect(await ids({ ...user, partnerId: 'ptn_b' })).toEqual([]);
  expect(await ids(partner)).toEqual(['evt_a', 'evt_b']);
  expect(await ids(markets)).toEqual(['evt_d']);
  const place = await outbox.placeOf(user, 'evt_a');
  expect(await ids(user, place ?? upTo)).toEqual(['evt_c']);
  expect(await outbox.ownAfter({ audience: user, after: start, upTo: place ?? start, limit: 9 })).toHaveLength(1);
  expect(await outbox.placeOf(user, 'evt_b')).toBeNull();
  expect(await outbox.placeOf(partner, 'evt_c')).toBeNull();
  expect(await outbox.placeOf(markets, 'evt_a')).toBeNull();
  expect((await outbox.lastOf(user))?.id).toBe('evt_c');
  expect((await outbox.lastOf(partner))?.id).toBe('evt_b');
  expect(await outbox.lastOf({ kind: 'partner', partnerId: 'ptn_none' })).toBeNull();
});

test('a reading knows which events it has seen', async () => {
  const { outbox, readAtOnce, transaction } = opened.store;
  const from = await outbox.settledPlace();
  await outbox.append([entryOf('seen')]);
  let isRead: () => void = () => undefined;
  const read = new Promise<void>((resolve) => {
    isRead = resolve;
  });
  const open = transaction(async (unit) => {
    await unit.outbox.append([entryOf('unseen_running')]);
    await read;
  });
  await pause(20);
  const snapshot = await readAtOnce(async (unit) => {
    const first = await unit.outbox.snapshot();
    await outbox.append([entryOf('unseen_later')]);
    expect(await unit.outbox.snapshot()).toEqual(first);
    return first;
  });
  isRead();
  await open;
  const seen = await follow(outbox, from, (records) => records.length === 3);
  expect(seen.filter(({ transactionId }) => isSeenBy(snapshot, transactionId)).map(({ id }) => id)).toEqual([
    'evt_seen',
  ]);
});

test('old events go, the oldest first, a few at a time', async () => {
  const { outbox } = opened.store;
  const old = (id: string, ageMs: number) => entryOf(id, { createdAtMs: sampleNowMs - ageMs, partnerId: 'ptn_old' });
  await outbox.append([old('x', 30), old('y', 20), old('z', 10)]);
  await settledEvents(outbox);
  expect(await outbox.removeOlderThan(sampleNowMs, 2)).toBe(2);
  expect((await outbox.lastOf({ kind: 'partner', partnerId: 'ptn_old' }))?.id).toBe('evt_z');
  expect(await outbox.removeOlderThan(sampleNowMs, 2)).toBe(1);
  expect(await outbox.removeOlderThan(sampleNowMs, 2)).toBe(0);
});

test('a subscriber is woken by a commit and not by a rollback', async () => {
  const { outbox } = opened.store;
  let wakeCount = 0;
  const subscription = await outbox.subscribe(() => {
    wakeCount += 1;
  });
  await pause(150);
  const before = wakeCount;
  await opened.store
    .transaction(async (unit) => {
      await unit.outbox.append([entryOf('rolled_back')]);
      throw new Error('stop');
    })
    .catch(() => undefined);
  await pause(150);
  expect(wakeCount).toBe(before);
  await outbox.append([entryOf('committed')]);
  await expect.poll(() => wakeCount).toBeGreaterThan(before);
  await subscription.close();
  expect(await outbox.placeOf({ kind: 'partner', partnerId: 'ptn_1' }, 'evt_rolled_back')).toBeNull();
});

test('events restored from another server are readable, in their order', async () => {
  const other = await openTestStore();
  const { outbox } = other.store;
  await outbox.append([entryOf('restored_1')]);
  await outbox.append([entryOf('restored_2')]);
  const client = new Client({ connectionString: other.database.databaseUrl });
  await client.connect();
  await client.query(`UPDATE outbox_events SET transaction_id = (900000000000000 + sequence)::text::xid8`);
  await client.end();
  expect((await outbox.settledAfter(start, 9)).records).toEqual([]);
  await migrate(other.database.databaseUrl);
  expect(idsOf(await settledEvents(outbox))).toEqual(['evt_restored_1', 'evt_restored_2']);
  await other.close();
});
