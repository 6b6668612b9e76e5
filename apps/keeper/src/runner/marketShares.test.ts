import { marketShareName, marketShareOf, marketSharesOf } from '@core/runtime';
import { openStore, type Store } from '@core/store';
import { openTestStore, type TestStore } from '@core/store/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MarketShares } from './marketShares.ts';

let database: TestStore;
const stores: Store[] = [];
beforeAll(async () => {
  database = await openTestStore();
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});
afterAll(() => database.close());

const shareCount = 8;
const allShares = marketSharesOf(shareCount).map(({ share }) => share);

/** Keepers with a connection each, who see at once how many shares the others hold, and a common share count. */
function keepersOf(count: number) {
  const setting = { shareCount };
  const clock = { nowMs: 0 };
  const busy = new Set<number>();
  const signer = new AbortController();
  const shares: MarketShares[] = [];
  const said: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const store = openStore({ databaseUrl: database.database.databaseUrl });
    stores.push(store);
    const others = async (): Promise<readonly number[]> =>
      shares.filter((_, other) => other !== index && requested.has(other)).map(({ current }) => current.length);
    const onChanged = (count: number): void => {
      said[index] = count;
    };
    shares.push(
      new MarketShares({
        locks: store.locks,
        shareCount: async () => setting.shareCount,
        others,
        onChanged,
        now: () => clock.nowMs,
      }),
    );
  }
  const requested = new Set<number>();
  const ask = async (index: number): Promise<boolean | undefined> => {
    requested.add(index);
    return shares[index]?.balance(signer, ({ share }) => busy.has(share));
  };
  const heldShares = (): readonly (readonly number[])[] => shares.map(({ current }) => current.map((one) => one.share));
  return { setting, clock, busy, signer, shares, said, ask, held: heldShares };
}

const market = 'mkt_1';

test('shares: the first keeper gets all; a second one gets half, each after its running steps have ended', async () => {
  const { clock, busy, shares, ask, held } = keepersOf(2);
  expect(await ask(0)).toBe(true);
  expect(held()).toEqual([allShares, []]);
  for (const index of [1, 0]) expect(await ask(index)).toBe(false);
  expect(held()).toEqual([allShares, []]);
  clock.nowMs = 5_000;
  await ask(0);
  busy.add(0);
  // Nothing new begins in what is given up, and no other keeper has it yet.
  expect(held()).toEqual([[4, 5, 6, 7], []]);
  await ask(1);
  expect(held()).toEqual([[4, 5, 6, 7], []]);
  await ask(0);
  await ask(1);
  expect(held()).toEqual([
    [4, 5, 6, 7],
    [1, 2, 3],
  ]);
  busy.clear();
  await ask(0);
  await ask(1);
  expect(held()).toEqual([
    [4, 5, 6, 7],
    [0, 1, 2, 3],
  ]);
  // Balanced, and what was given away is not taken back.
  clock.nowMs = 60_000;
  for (const index of [0, 1, 0, 1]) await ask(index);
  expect(held().map(({ length }) => length)).toEqual([4, 4]);
  const leases = shares.map((one) => one.leaseOf(market));
  expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
  expect(shares.map((one) => one.leaseOf(null))).toEqual([null, null]);
});

test('shares: a share with a step that does not end is kept, and given away later', async () => {
  const { clock, busy, ask, held } = keepersOf(2);
  for (const index of [0, 1]) await ask(index);
  clock.nowMs = 5_000;
  await ask(0);
  busy.add(0);
  clock.nowMs = 6_900;
  expect(await ask(0)).toBe(false);
  expect(held()[0]).toEqual([4, 5, 6, 7]);
  clock.nowMs = 7_000;
  expect(await ask(0)).toBe(true);
  expect(held()[0]).toEqual([0, 4, 5, 6, 7]);
  busy.clear();
  for (const index of [1, 0]) await ask(index);
  expect(held()).toEqual([
    [0, 4, 5, 6, 7],
    [1, 2, 3],
  ]);
});

test('shares: idle shares are given away first', async () => {
  const { clock, busy, ask, held } = keepersOf(2);
  for (const index of [0, 1]) await ask(index);
  clock.nowMs = 5_000;
  for (const one of [0, 1, 2]) busy.add(one);
  for (const index of [0, 0, 1]) await ask(index);
  expect(held()).toEqual([
    [0, 1, 2, 7],
    [3, 4, 5, 6],
  ]);
});

test("shares: a dead keeper's shares go to the next that requests them, each with a greater token", async () => {
  const { shares, ask, held, clock } = keepersOf(2);
  for (const index of [0, 1]) await ask(index);
  clock.nowMs = 5_000;
  for (const index of [0, 0, 1]) await ask(index);
  expect(held().map(({ length }) => length)).toEqual([4, 4]);
  const before = new Map(shares[1]?.current.map((one) => [one.share, one.fenceToken]));
  const leases = allShares.flatMap((one) => (before.has(one) ? [one] : []));
  await stores.pop()?.close();
  await expect.poll(() => held()[1]).toEqual([]);
  // It is still thought to live, with no shares: none are given to it all the same.
  clock.nowMs = 10_000;
  await expect
    .poll(async () => {
      await ask(0);
      return held()[0]?.length;
    })
    .toBe(shareCount);
  for (const one of leases) {
    const after = shares[0]?.current.find((current) => current.share === one)?.fenceToken;
    expect(after).toBeGreaterThan(before.get(one) ?? 0n);
  }
});

test('shares: without the lock of its key a keeper gets none, and others may get those it releases', async () => {
  const { shares, signer, said, ask, held } = keepersOf(2);
  await ask(0);
  expect(shares[0]?.leaseOf(market)?.name).toBe(`keeper:effects:${marketShareName(marketShareOf(market, shareCount))}`);
  expect(said[0]).toBe(shareCount);
  await shares[0]?.release();
  expect(said[0]).toBe(0);
  signer.abort();
  await ask(0);
  expect(held()).toEqual([[], []]);
  const next = keepersOf(1);
  await next.ask(0);
  expect(next.held()).toEqual([allShares]);
});
