import { sampleNowMs, samplePosition, walletOf } from '@core/position/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, openTestStore, settledEvents, type TestStore } from '../../testing/index.ts';
import { migrate } from '../database/migrate.ts';
import type { Store } from '../openStore.ts';
import {
  comparePlaces,
  type EventAudience,
  type EventContent,
  type EventPlace,
  isSeenBy,
  type OutboxEntry,
  type OutboxRecord,
} from './outbox.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore(12);
});
afterAll(() => testStore.close());

const start: EventPlace = { transactionId: 0n, sequence: 0n };
const openedContent: EventContent = { type: 'position.opened', payload: { position: samplePosition(1), market: null } };
const entryOf = (
  id: string,
  changes: Partial<Omit<OutboxEntry, 'type' | 'payload'>> = {},
  content: EventContent = openedContent,
): OutboxEntry => ({
  ...content,
  id: `evt_${id}`,
  partnerId: 'ptn_1',
  walletAddress: walletOf(0),
  positionId: null,
  marketId: null,
  createdAtMs: sampleNowMs,
  ...changes,
});
const notification: EventContent = {
  type: 'notification',
  payload: { code: 'ORDER_FULFILLMENT_FAILED', params: { position_id: 'pos_1', reason: 'order_not_filled' } },
};
const marketChange: EventContent = {
  type: 'market.updated',
  payload: { ticker: 'market-1', changed: ['title'], version: 5n },
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Follow the outbox from a place until `isDone`, as a process does. */
async function follow(
  outbox: Store['outbox'],
  from: EventPlace,
  isDone: (seen: readonly OutboxRecord[]) => boolean,
): Promise<readonly OutboxRecord[]> {
  const events: OutboxRecord[] = [];
  let place = from;
  while (!isDone(events)) {
    const { records } = await outbox.settledAfter(place, 7);
    events.push(...records);
    place = records.at(-1) ?? place;
    await pause(1);
  }
  return events;
}

const idsOf = (records: readonly OutboxRecord[]): readonly string[] => records.map(({ id }) => id);

test('an event id is written once and its payload survives', async () => {
  const { outbox } = testStore.store;
  const from = await outbox.settledPlace();
  expect(await outbox.append([entryOf('once'), entryOf('once')])).toEqual(['evt_once']);
  expect(await outbox.append([entryOf('once', { partnerId: 'ptn_other' })])).toEqual([]);
  const [record] = await follow(outbox, from, (events) => events.length > 0);
  expect(record).toMatchObject({ ...entryOf('once'), transactionId: expect.any(BigInt), sequence: expect.any(BigInt) });
});

test('a reader misses no late commit and reads no event twice', async () => {
  const { outbox } = testStore.store;
  const from = await outbox.settledPlace();
  const reading = follow(outbox, from, (events) => events.length >= 120);
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      testStore.store.transaction(async (unit) => {
        await unit.outbox.append([entryOf(`late_${index}`)]);
        // Some transactions stay open long after they took their number.
        await pause((index * 7) % 15);
        await unit.outbox.append([entryOf(`late_${index}_b`)]);
      }),
    ),
  );
  const events = await reading;
  expect(new Set(idsOf(events)).size).toBe(120);
  expect(events).toHaveLength(120);
  expect(events.toSorted(comparePlaces)).toEqual(events);
});

test('an event behind a running transaction is reported as waiting and read after it', async () => {
  const { outbox } = testStore.store;
  const from = await outbox.settledPlace();
  let release: () => void = () => undefined;
  const releasing = new Promise<void>((resolve) => {
    release = resolve;
  });
  let hasWritten: () => void = () => undefined;
  const written = new Promise<void>((resolve) => {
    hasWritten = resolve;
  });
  const slow = testStore.store.transaction(async (unit) => {
    await unit.outbox.append([entryOf('slow')]);
    hasWritten();
    await releasing;
  });
  await written;
  await outbox.append([entryOf('quick')]);
  expect(await outbox.settledAfter(from, 10)).toEqual({ records: [], isMoreComing: true });
  release();
  await slow;
  expect(idsOf(await follow(outbox, from, (events) => events.length === 2))).toEqual(['evt_slow', 'evt_quick']);
});

test('a transaction of another database delays no event', async () => {
  const { outbox } = testStore.store;
  const other = await openTestStore(2);
  const [writing, ending] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const long = other.store.transaction(async (unit) => {
    await unit.outbox.append([entryOf('elsewhere')]);
    writing.resolve(undefined);
    await ending.promise;
  });
  await writing.promise;
  await outbox.append([entryOf('before')]);
  // What was written before the place is not read again, whatever runs elsewhere.
  const from = await outbox.settledPlace();
  await outbox.append([entryOf('here_1'), entryOf('here_2')]);
  const batch = await outbox.settledAfter(from, 10);
  expect([idsOf(batch.records), batch.isMoreComing]).toEqual([['evt_here_1', 'evt_here_2'], false]);
  const [last] = batch.records.slice(-1);
  if (last === undefined) throw new Error('two events were read');
  expect(await outbox.settledAfter(last, 10)).toEqual({ records: [], isMoreComing: false });
  const { pathname } = new URL(other.database.databaseUrl);
  // Tests of other databases on this server write too: theirs may be older for a moment.
  await expect
    .poll(() => outbox.oldestWriter())
    .toMatchObject({ database: pathname.slice(1), pid: expect.any(Number) });
  ending.resolve(undefined);
  await long;
  await other.close();
});

test.each([0, 1, 4])(
  'of five events the payload at %d cannot be read: it comes as null, and the others as written',
  async (bad) => {
    const { outbox } = testStore.store;
    const from = await outbox.settledPlace();
    const ids = Array.from({ length: 5 }, (_, index) => `poison_${bad}_${index}`);
    await outbox.append(ids.map((id) => entryOf(id)));
    const poison = `UPDATE outbox_events SET payload = '{"$bigint":"five"}' WHERE id = 'evt_${ids[bad]}'`;
    await execute(testStore.database.databaseUrl, poison);
    const events = await follow(outbox, from, (records) => records.length === 5);
    expect(idsOf(events)).toEqual(ids.map((id) => `evt_${id}`));
    expect(events.map(({ payload }) => payload === null)).toEqual(ids.map((_, index) => index === bad));
  },
);

test("a position's events come in the order in which they were written, whichever transaction began first", async () => {
  const { outbox, transaction } = testStore.store;
  const from = await outbox.settledPlace();
  let attemptCount = 0;
  const numbered = Promise.withResolvers<undefined>();
  const other = Promise.withResolvers<undefined>();
  const early = transaction(async (unit) => {
    attemptCount += 1;
    // Takes the transaction's number before the other one takes its own, and writes after it.
    await unit.outbox.append([entryOf(`number_${attemptCount}`)]);
    numbered.resolve(undefined);
    await other.promise;
    await unit.outbox.append([entryOf('second', { positionId: 'pos_ordered' })]);
  });
  await numbered.promise;
  await outbox.append([entryOf('first', { positionId: 'pos_ordered' })]);
  other.resolve(undefined);
  await early;
  expect(attemptCount).toBe(2);
  const events = await follow(outbox, from, (records) => records.length >= 3);
  expect(idsOf(events.filter(({ positionId }) => positionId === 'pos_ordered'))).toEqual(['evt_first', 'evt_second']);
});

test('each audience reads its own events and none of another', async () => {
  const { outbox } = testStore.store;
  await outbox.append([
    entryOf('a', { partnerId: 'ptn_a' }),
    entryOf('b', { partnerId: 'ptn_a', walletAddress: walletOf(1).toUpperCase().replace('0X', '0x') }),
    entryOf('c', { partnerId: 'ptn_a' }, notification),
    entryOf('d', { partnerId: null, walletAddress: null }, marketChange),
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
  const { outbox, readAtOnce, transaction } = testStore.store;
  const from = await outbox.settledPlace();
  await outbox.append([entryOf('seen')]);
  const [written, batch] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const open = transaction(async (unit) => {
    await unit.outbox.append([entryOf('unseen_running')]);
    written.resolve(undefined);
    await batch.promise;
  });
  await written.promise;
  const snapshot = await readAtOnce(async (unit) => {
    const first = await unit.outbox.snapshot();
    await outbox.append([entryOf('unseen_later')]);
    expect(await unit.outbox.snapshot()).toEqual(first);
    return first;
  });
  batch.resolve(undefined);
  await open;
  const events = await follow(outbox, from, (records) => records.length === 3);
  expect(events.filter(({ transactionId }) => isSeenBy(snapshot, transactionId)).map(({ id }) => id)).toEqual([
    'evt_seen',
  ]);
});

test('deletes old events, the oldest first, up to a limit', async () => {
  const { outbox } = testStore.store;
  const old = (id: string, ageMs: number) => entryOf(id, { createdAtMs: sampleNowMs - ageMs, partnerId: 'ptn_old' });
  await outbox.append([old('x', 30), old('y', 20), old('z', 10)]);
  await settledEvents(outbox);
  expect(await outbox.removeOlderThan(sampleNowMs, 2)).toBe(2);
  expect((await outbox.lastOf({ kind: 'partner', partnerId: 'ptn_old' }))?.id).toBe('evt_z');
  expect(await outbox.removeOlderThan(sampleNowMs, 2)).toBe(1);
  expect(await outbox.removeOlderThan(sampleNowMs, 2)).toBe(0);
});

test('a subscriber is woken by a commit and not by a rollback', async () => {
  const { outbox } = testStore.store;
  let wakeCount = 0;
  const subscription = await outbox.subscribe(() => {
    wakeCount += 1;
  });
  await pause(150);
  const before = wakeCount;
  await testStore.store
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
