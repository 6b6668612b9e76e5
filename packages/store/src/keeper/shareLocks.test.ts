import { isOverlapping, type MarketShare, marketSharesOf } from '@core/runtime';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { execute, openTestStore, type TestStore } from '../../testing/index.ts';
import { openStore, type Store } from '../openStore.ts';
import { shareLockOf } from './createLocks.ts';
import type { Lease } from './locks.ts';

let testStore: TestStore;
let other: Store;
const leases: Lease[] = [];
beforeAll(async () => {
  testStore = await openTestStore();
  other = openStore({ databaseUrl: testStore.database.databaseUrl });
});
afterEach(async () => {
  await Promise.all(leases.splice(0).map((lease) => lease.release()));
});
afterAll(async () => {
  await other.close();
  await testStore.close();
});

/** Acquire shares; they are released after the test. */
async function acquire({ locks }: Store, shares: readonly MarketShare[]): Promise<readonly Lease[]> {
  const acquired = await locks.tryAcquireShares(shares);
  leases.push(...acquired);
  return acquired;
}

const namesOf = (acquired: readonly { readonly name: string }[]) => acquired.map(({ name }) => name).toSorted();
const locksOf = (shares: readonly MarketShare[]) => shares.map(shareLockOf).toSorted();

async function advisoryLockCount(): Promise<number> {
  const [row] = await execute(
    testStore.database.databaseUrl,
    `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND database =
       (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return Number(row?.['count']);
}

test.each([
  [8, 64],
  [64, 8],
  [1, 16],
  [16, 1],
  [4, 4],
])('shares: some of %i are taken → of %i another store gets those that overlap none of them', async (ours, theirs) => {
  const ourShares = marketSharesOf(ours).filter(({ share }) => share % 3 === 0);
  expect(namesOf(await acquire(testStore.store, ourShares))).toEqual(locksOf(ourShares));
  const before = await advisoryLockCount();
  const free = marketSharesOf(theirs).filter((share) => !ourShares.some((one) => isOverlapping(one, share)));
  const acquired = await acquire(other, marketSharesOf(theirs));
  expect(namesOf(acquired)).toEqual(locksOf(free));
  // A refused share leaves no lock behind.
  await Promise.all(acquired.map((lease) => lease.release()));
  expect(await advisoryLockCount()).toBe(before);
});

test('shares: a store acquires none that overlap its own, and again those that it released', async () => {
  const [own] = await acquire(testStore.store, [{ share: 3, shareCount: 8 }]);
  expect(await acquire(testStore.store, [{ share: 11, shareCount: 64 }])).toEqual([]);
  expect(namesOf(await acquire(testStore.store, [{ share: 12, shareCount: 64 }]))).toEqual(['keeper:effects:12/64']);
  await own?.release();
  expect(namesOf(await acquire(testStore.store, [{ share: 11, shareCount: 64 }]))).toEqual(['keeper:effects:11/64']);
});

test('shares: a lease ends with its token when an overlapping share of any count is acquired', async () => {
  const { locks } = testStore.store;
  const [large] = await acquire(testStore.store, [{ share: 1, shareCount: 4 }]);
  await large?.release();
  const [small, beside] = await acquire(other, [
    { share: 5, shareCount: 16 },
    { share: 6, shareCount: 16 },
  ]);
  expect(await locks.fenceToken('keeper:effects:1/4')).toBe((large?.fenceToken ?? 0n) + 1n);
  await small?.release();
  const [again] = await acquire(testStore.store, [{ share: 1, shareCount: 4 }]);
  expect(again?.fenceToken).toBeGreaterThan(large?.fenceToken ?? 0n);
  expect(await locks.fenceToken('keeper:effects:5/16')).toBe((small?.fenceToken ?? 0n) + 1n);
  // What overlaps nothing keeps its lease.
  expect(await locks.fenceToken('keeper:effects:6/16')).toBe(beside?.fenceToken);
});

test('shares: stores that race for shares of several counts never have a market in common', async () => {
  const counts = [4, 8, 16];
  for (let round = 0; round < 20; round += 1) {
    const stores = [testStore.store, other, testStore.store, other];
    const acquired = await Promise.all(
      stores.map((store, index) => store.locks.tryAcquireShares(marketSharesOf(counts[(index + round) % 3] ?? 4))),
    );
    leases.push(...acquired.flat());
    const shares = namesOf(acquired.flat()).map((name) => {
      const [share = 0, shareCount = 1] = name.slice('keeper:effects:'.length).split('/').map(Number);
      return { share, shareCount };
    });
    const overlaps = shares.filter((one, index) => shares.slice(index + 1).some((next) => isOverlapping(one, next)));
    expect(overlaps).toEqual([]);
    expect(shares.reduce((sum, { shareCount }) => sum + 1 / shareCount, 0)).toBeGreaterThan(0);
    await Promise.all(leases.splice(0).map((lease) => lease.release()));
  }
  expect(await advisoryLockCount()).toBe(0);
});

test('shares: 1,024 of them are acquired and released without a remaining lock', async () => {
  const all = marketSharesOf(1_024);
  const acquired = await acquire(testStore.store, all);
  expect(acquired).toHaveLength(1_024);
  expect(await advisoryLockCount()).toBe(2_047);
  await Promise.all(leases.splice(0).map((lease) => lease.release()));
  expect(await advisoryLockCount()).toBe(0);
});

test('shares: a keeper of an earlier version locks a share without a count → refused', async () => {
  const early = openStore({ databaseUrl: testStore.database.databaseUrl });
  await expect(early.locks.tryAcquire(['keeper:effects:3'])).rejects.toThrow(/out of range/);
  await early.close();
});

test('share count: 64 until it is set to a power of two', async () => {
  const { sharing } = testStore.store;
  expect(await sharing.shareCount()).toBe(64);
  for (const shareCount of [0, 3, 65, 2_048, 8.5]) {
    await expect(sharing.setShareCount(shareCount, 1_000)).rejects.toThrow(RangeError);
  }
  await sharing.setShareCount(16, 1_000);
  await sharing.setShareCount(16, 2_000);
  expect(await other.sharing.shareCount()).toBe(16);
  const rows = await execute(testStore.database.databaseUrl, 'SELECT share_count, changed_at FROM market_sharing');
  expect(rows).toEqual([{ share_count: 16, changed_at: new Date(1_000) }]);
});
