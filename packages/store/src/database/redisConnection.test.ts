import { sampleNowMs, samplePosition } from '@core/position/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../testing/index.ts';
import { type SilentRedis, startSilentRedis } from '../../testing/startSilentRedis.ts';
import { openStore, type Store } from '../openStore.ts';
import type { OutboxEntry } from '../outbox/outbox.ts';
import { isDatabaseFault } from './databaseFault.ts';

let testStore: TestStore;
let redis: SilentRedis;
let store: Store;
let faults: unknown[] = [];
beforeAll(async () => {
  testStore = await openTestStore(2, null);
});
afterAll(() => testStore.close());
beforeEach(async () => {
  redis = await startSilentRedis();
  faults = [];
  store = openStore({
    databaseUrl: testStore.database.databaseUrl,
    redisUrl: redis.url,
    onRedisFault: (cause) => faults.push(cause),
  });
});
afterEach(async () => {
  await store.close();
  await redis.close();
});

const entryOf = (id: string): OutboxEntry => ({
  id: `evt_${id}`,
  type: 'position.opened',
  partnerId: 'ptn_1',
  walletAddress: null,
  positionId: null,
  marketId: null,
  payload: { position: samplePosition(1), market: null },
  createdAtMs: sampleNowMs,
});
const countsInDatabase = (bucketName: string, expected: boolean) =>
  expect
    .poll(async () => {
      const bucket = { name: bucketName, points: 1_000, windowMs: 60_000 };
      const before = await testStore.store.limits.consume(bucket, 'ptn_1');
      await store.limits.consume(bucket, 'ptn_1');
      const after = await testStore.store.limits.consume(bucket, 'ptn_1');
      return before.remaining - after.remaining === 2;
    })
    .toBe(expected);

test('limits move to the database while Redis is silent, and back', async () => {
  await countsInDatabase('falls_silent', false);
  expect([store.connections().isRedisReachable, await store.answersRedis()]).toEqual([true, true]);
  redis.isSilent = true;
  const bucket = { name: 'silent', points: 40, windowMs: 60_000 };
  // All of them are written to a connection that will not answer.
  const states = await Promise.all(Array.from({ length: 256 }, () => store.limits.consume(bucket, 'ptn_1')));
  expect(states.filter(({ allowed }) => allowed)).toHaveLength(40);
  expect(faults.length).toBeGreaterThan(0);
  expect([store.connections().isRedisReachable, await store.answersRedis()]).toEqual([false, false]);
  await countsInDatabase('stays_silent', true);
  redis.isSilent = false;
  await countsInDatabase('speaks_again', false);
});

test('commits do not wait for a silent Redis', async () => {
  await expect(store.signals.publish('before')).resolves.toBeUndefined();
  redis.isSilent = true;
  for (const id of ['a', 'b', 'c']) await store.outbox.append([entryOf(id)]);
  await expect(store.signals.publish('meanwhile')).rejects.toSatisfy(isDatabaseFault);
});

test('a subscription to a silent Redis starts at once and receives after its return', async () => {
  redis.isSilent = true;
  const heard: string[] = [];
  let wakeCount = 0;
  const signals = await store.signals.subscribe((message) => heard.push(message));
  const outbox = await store.outbox.subscribe(() => {
    wakeCount += 1;
  });
  expect([heard, wakeCount]).toEqual([[], 0]);
  redis.isSilent = false;
  await expect
    .poll(async () => {
      await store.signals.publish('hello').catch(() => undefined);
      return heard.includes('hello') && wakeCount > 0;
    })
    .toBe(true);

  // Silent once more, without a word of its own: the subscription finds out by asking.
  redis.isSilent = true;
  await expect.poll(() => faults.length).toBeGreaterThan(4);
  redis.isSilent = false;
  await expect
    .poll(async () => {
      await store.signals.publish('again').catch(() => undefined);
      return heard.includes('again');
    })
    .toBe(true);
  await signals.close();
  await outbox.close();
});
