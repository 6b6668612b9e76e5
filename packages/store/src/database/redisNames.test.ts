import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../testing/index.ts';
import { type SilentRedis, startSilentRedis } from '../../testing/startSilentRedis.ts';
import { openStore, type Store } from '../openStore.ts';

let testStore: TestStore;
let redis: SilentRedis;
beforeAll(async () => {
  testStore = await openTestStore(2, null);
  redis = await startSilentRedis();
});
afterAll(async () => {
  await redis.close();
  await testStore.close();
});

const vaults = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const;
const bucket = { name: 'wallet', points: 1_000, windowMs: 60_000 };

/** A store of a service on this chain and vault, with a database of the same name and the same Redis. */
const serviceOf = (chainId: number, vault: string): Store =>
  openStore({ databaseUrl: testStore.database.databaseUrl, redisUrl: redis.url, deployment: { chainId, vault } });

test('services of other chains and vaults on one Redis neither count nor wake each other', async () => {
  const [own, same, otherChain, otherVault] = [
    serviceOf(1, vaults[0]),
    serviceOf(1, vaults[0].toUpperCase().replace('X', 'x')),
    serviceOf(2, vaults[0]),
    serviceOf(1, vaults[1]),
  ] as const;
  const remaining: number[] = [];
  for (const store of [own, same, otherChain, otherVault]) {
    remaining.push((await store.limits.consume(bucket, 'user')).remaining);
  }
  expect(remaining).toEqual([999, 998, 999, 999]);
  const messages: string[] = [];
  const subscriptions = await Promise.all(
    [same, otherChain, otherVault].map((store, index) =>
      store.signals.subscribe((message) => messages.push(`${index}: ${message}`)),
    ),
  );
  await own.signals.publish('hello');
  await expect.poll(() => messages).toEqual(['0: hello']);
  for (const subscription of subscriptions) await subscription.close();
  for (const store of [own, same, otherChain, otherVault]) await store.close();
});
