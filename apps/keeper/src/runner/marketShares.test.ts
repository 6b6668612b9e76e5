import { marketShareCount, marketShareOf, marketShares } from '@core/runtime';
import { openStore, type Store } from '@core/store';
import { openTestStore, type TestStore } from '@core/store/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MarketShares } from './marketShares.ts';

let opened: TestStore;
const stores: Store[] = [];
beforeAll(async () => {
  opened = await openTestStore();
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});
afterAll(() => opened.close());

/** Keepers with a connection each, who see at once how many shares the others hold. */
function keepersOf(count: number) {
  const clock = { nowMs: 0 };
  const busy = new Set<number>();
  const signer = new AbortController();
  const shares: MarketShares[] = [];
  const said: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const store = openStore({ databaseUrl: opened.database.databaseUrl });
    stores.push(store);
    const others = async (): Promise<readonly number[]> =>
      shares.filter((_, other) => other !== index && asked.has(other)).map(({ current }) => current.length);
    const onChanged = (count: number): void => {
      said[index] = count;
    };
    shares.push(new MarketShares({ locks: store.locks, others, onChanged, now: () => clock.nowMs }));
  }
  const asked = new Set<number>();
  const ask = async (index: number): Promise<boolean | undefined> => {
    asked.add(index);
    return shares[index]?.balance(signer, (share) => busy.has(share));
  };
  const held = (): readonly (readonly number[])[] => shares.map(({ current }) => current.map((one) => one.share));
  return { clock, busy, signer, shares, said, ask, held };
}

const market = 'mkt_1';
const share = marketShareOf(market);

test('the first keeper takes all shares; a second one gets half of them, each once what was under way has ended', async () => {
  const { clock, busy, shares, ask, held } = keepersOf(2);
  expect(await ask(0)).toBe(true);
  expect(held()).toEqual([marketShares, []]);
  for (const index of [1, 0]) expect(await ask(index)).toBe(false);
  expect(held()).toEqual([marketShares, []]);
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

test('a share in which a step does not end is kept after all, and given another time', async () => {
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

test('shares in which nothing is under way are given first', async () => {
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

test('the shares of a keeper that dies are taken by the next one that asks, each with a greater token', async () => {
  const { shares, ask, held, clock } = keepersOf(2);
  for (const index of [0, 1]) await ask(index);
  clock.nowMs = 5_000;
  for (const index of [0, 0, 1]) await ask(index);
  expect(held().map(({ length }) => length)).toEqual([4, 4]);
  const before = new Map(shares[1]?.current.map((one) => [one.share, one.fenceToken]));
  const leases = marketShares.flatMap((one) => (before.has(one) ? [one] : []));
  await stores.pop()?.close();
  await expect.poll(() => held()[1]).toEqual([]);
  // It is still thought to live, with no shares: none are given to it all the same.
  clock.nowMs = 10_000;
  await expect
    .poll(async () => {
      await ask(0);
      return held()[0]?.length;
    })
    .toBe(marketShareCount);
  for (const one of leases) {
    const after = shares[0]?.current.find((current) => current.share === one)?.fenceToken;
    expect(after).toBeGreaterThan(before.get(one) ?? 0n);
  }
});

test('without the lock of its key a keeper takes nothing, and what it gives back another one may take', async () => {
  const { shares, signer, said, ask, held } = keepersOf(2);
  await ask(0);
  expect(shares[0]?.leaseOf(market)?.name).toBe(`keeper:effects:${share}`);
  expect(said[0]).toBe(marketShareCount);
  await shares[0]?.release();
  expect(said[0]).toBe(0);
  signer.abort();
  await ask(0);
  expect(held()).toEqual([[], []]);
  const next = keepersOf(1);
  await next.ask(0);
  expect(next.held()).toEqual([marketShares]);
});
