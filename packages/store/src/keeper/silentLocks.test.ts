import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../testing/index.ts';
import { startForgetfulProxy } from '../../testing/startForgetfulProxy.ts';
import { openStore } from '../openStore.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

/** A process that holds a lock over a way that a test can cut. */
async function openHolder(name: string) {
  const proxy = await startForgetfulProxy(testStore.database.databaseUrl);
  const store = openStore({ databaseUrl: proxy.databaseUrl });
  const [lease] = await store.locks.tryAcquire([name]);
  if (lease === undefined) throw new Error('the lock is free');
  const close = async (): Promise<void> => {
    proxy.isSilent = false;
    proxy.isCut = false;
    await proxy.close();
    await store.close();
  };
  return { proxy, lease, close };
}

test.each(['isCut', 'isSilent'] as const)(
  'lock: the connection of its holder goes nowhere (%s) → the holder loses it, and another takes it within seconds',
  async (fault) => {
    const { proxy, lease, close } = await openHolder(`lock of ${fault}`);
    const { locks } = testStore.store;
    expect(await locks.tryAcquire([lease.name])).toEqual([]);
    proxy[fault] = true;
    await expect
      .poll(() => locks.tryAcquire([lease.name]), { timeout: 20_000, interval: 100 })
      .toMatchObject([{ name: lease.name, fenceToken: lease.fenceToken + 1n }]);
    expect(lease.signal.aborted).toBe(true);
    await close();
  },
  40_000,
);
