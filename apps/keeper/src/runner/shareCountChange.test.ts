import { hashOf, sampleNowMs } from '@core/position/testing';
import { isOverlapping, type MarketShare, marketShareName, marketShareOf } from '@core/runtime';
import { type Lease, openStore, StaleLeaseError, type Store } from '@core/store';
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

const markets = Array.from({ length: 200 }, (_, index) => `mkt_${index}`);
const shareOfLock = (name: string): MarketShare => {
  const [share = 0, shareCount = 1] = name.slice('keeper:effects:'.length).split('/').map(Number);
  return { share, shareCount };
};

/** A step of a position, under the lease of its market. */
interface RunningStep {
  readonly marketId: string;
  readonly lease: Lease;
  /** False for a step that is overdue: the shares do not wait for it. */
  readonly hasSlot: boolean;
}

/** A keeper with a connection and a view of the share count of its own. */
class ShareKeeper {
  readonly store = openStore({ databaseUrl: database.database.databaseUrl });
  readonly steps = new Set<RunningStep>();
  readonly #leases = new Set<Lease>();
  readonly shares: MarketShares;
  readonly #signer = new AbortController();

  constructor(shareCount: () => Promise<number>, now: () => number) {
    stores.push(this.store);
    const { locks } = this.store;
    this.shares = new MarketShares({
      locks: {
        tryAcquireShares: async (shares) => {
          const leases = await locks.tryAcquireShares(shares);
          for (const lease of leases) this.#leases.add(lease);
          return leases;
        },
      },
      shareCount,
      others: async () => [],
      onChanged: () => undefined,
      now,
    });
  }

  /** Shares whose lease has not ended, also those in which nothing new begins. */
  get locked(): readonly MarketShare[] {
    return [...this.#leases].filter(({ signal }) => !signal.aborted).map(({ name }) => shareOfLock(name));
  }

  /** Names of the shares in which steps may begin. */
  get names(): readonly string[] {
    return this.shares.current.map(marketShareName);
  }

  ask(): Promise<boolean> {
    const isBusyIn = (share: MarketShare): boolean =>
      [...this.steps].some(
        ({ marketId, hasSlot }) => hasSlot && isOverlapping(marketShareOf(marketId, share.shareCount), share),
      );
    return this.shares.balance(this.#signer, isBusyIn);
  }

  start(marketId: string, hasSlot = true): RunningStep | null {
    const lease = this.shares.leaseOf(marketId);
    if (lease === null) return null;
    const step = { marketId, lease, hasSlot };
    this.steps.add(step);
    return step;
  }
}

/** Keepers that read one share count, 8 at first. */
function keepersOf(count: number) {
  const setting = { shareCount: 8, nowMs: 0 };
  const keepers = Array.from(
    { length: count },
    () =>
      new ShareKeeper(
        async () => setting.shareCount,
        () => setting.nowMs,
      ),
  );
  return { setting, keepers };
}

let nextSubject = 1;
/** Prepare an effect under a lease, as every step does before it acts. */
function prepareUnder(lease: Pick<Lease, 'name' | 'fenceToken'>) {
  nextSubject += 1;
  return database.store.intents.prepare({
    subject: hashOf(nextSubject),
    operation: 'authorize_open',
    attempt: 0,
    plan: {},
    lockName: lease.name,
    fenceToken: lease.fenceToken,
    nowMs: sampleNowMs,
  });
}

/** Repeatable numbers from 0 up to, but not including, a limit. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % limit;
  };
}

/** Pairs of shares of different keepers that have a market in common. */
function overlapsOf(keepers: readonly ShareKeeper[]): readonly string[] {
  return keepers.flatMap((keeper, index) =>
    keeper.locked.flatMap((own) =>
      keepers
        .slice(index + 1)
        .flatMap(({ locked }) => locked)
        .filter((share) => isOverlapping(own, share))
        .map((share) => `${marketShareName(own)} and ${marketShareName(share)}`),
    ),
  );
}

const holdersOf = (keepers: readonly ShareKeeper[], marketId: string): number =>
  keepers.filter(({ shares }) => shares.leaseOf(marketId) !== null).length;

test('share count: changed amid running steps → no two keepers ever have a market in common, and soon all are held', async () => {
  const { setting, keepers } = keepersOf(3);
  const numberBelow = numbersFrom(7);
  for (const shareCount of [8, 64, 4, 32, 1, 16]) {
    setting.shareCount = shareCount;
    for (let round = 0; round < 12; round += 1) {
      setting.nowMs += 500;
      for (const keeper of keepers) {
        for (const step of keeper.steps) if (numberBelow(3) === 0) keeper.steps.delete(step);
        for (let begun = 0; begun < 4; begun += 1) keeper.start(markets[numberBelow(markets.length)] ?? '');
      }
      // Some ask at once, and one of them not at all: it works on with what it knows.
      const idle = numberBelow(keepers.length);
      await Promise.all(keepers.filter((_, index) => index !== idle).map((keeper) => keeper.ask()));
      expect(overlapsOf(keepers)).toEqual([]);
      // A running step keeps its lease to its end, and what it does under it is accepted.
      const running = keepers.flatMap(({ steps }) => [...steps]);
      expect(running.filter(({ lease }) => lease.signal.aborted)).toEqual([]);
      for (const { lease } of running.slice(0, 3)) expect((await prepareUnder(lease)).created).toBe(true);
    }
    for (const { steps } of keepers) steps.clear();
    // The first round releases what the last steps held up, the second one acquires it.
    for (const keeper of [...keepers, ...keepers]) await keeper.ask();
    expect(overlapsOf(keepers)).toEqual([]);
    expect(markets.filter((marketId) => holdersOf(keepers, marketId) !== 1)).toEqual([]);
    const names = keepers.flatMap((keeper) => keeper.names);
    expect([names.length, new Set(names).size]).toEqual([shareCount, shareCount]);
  }
});

test('share count: a keeper alone changes it in one round, except where a step is running, in which nothing new begins', async () => {
  const { setting, keepers } = keepersOf(1);
  const [keeper] = keepers as [ShareKeeper];
  await keeper.ask();
  const step = keeper.start('mkt_1');
  const { share } = marketShareOf('mkt_1', 8);
  setting.shareCount = 64;
  expect(await keeper.ask()).toBe(true);
  const others = Array.from({ length: 64 }, (_, index) => index).filter((index) => index % 8 !== share);
  expect(keeper.names).toEqual(others.map((index) => `${index}/64`));
  // It is not kept, however long the step takes: without its slot it is over in any case.
  setting.nowMs += 60_000;
  expect(await keeper.ask()).toBe(false);
  expect(keeper.shares.leaseOf('mkt_1')).toBeNull();
  expect(step?.lease.signal.aborted).toBe(false);
  keeper.steps.clear();
  expect(await keeper.ask()).toBe(true);
  expect(keeper.names).toHaveLength(64);
  // Set back before all has moved: what was not released yet stays.
  keeper.start('mkt_1');
  setting.shareCount = 8;
  await keeper.ask();
  setting.shareCount = 64;
  await keeper.ask();
  expect(keeper.names).toHaveLength(64);
});

test('share count: an overdue step of the old count writes nothing once a share of the new count is acquired', async () => {
  const { setting, keepers } = keepersOf(2);
  const [first, second] = keepers as [ShareKeeper, ShareKeeper];
  await first.ask();
  const old = first.start('mkt_1', false);
  if (old === null) throw new Error('the first keeper holds every share');
  expect((await prepareUnder(old.lease)).created).toBe(true);
  setting.shareCount = 64;
  await first.ask();
  await first.shares.release();
  await second.ask();
  const current = second.shares.leaseOf('mkt_1');
  if (current === null) throw new Error('the second keeper holds every share');
  await expect(prepareUnder(old.lease)).rejects.toThrow(StaleLeaseError);
  expect((await prepareUnder(current)).created).toBe(true);
  // Back to the old count: neither of the earlier leases counts again.
  setting.shareCount = 8;
  await second.ask();
  await expect(prepareUnder(old.lease)).rejects.toThrow(StaleLeaseError);
  await expect(prepareUnder(current)).rejects.toThrow(StaleLeaseError);
  const last = second.shares.leaseOf('mkt_1');
  expect(last?.name).toBe(old.lease.name);
  expect(last?.fenceToken).toBeGreaterThan(old.lease.fenceToken);
});

test('share count: a keeper that was killed and works on with the old count gets no market of another keeper', async () => {
  const { setting, keepers } = keepersOf(2);
  const [first, second] = keepers as [ShareKeeper, ShareKeeper];
  await second.ask();
  const killed = second.start('mkt_1');
  if (killed === null) throw new Error('the second keeper holds every share');
  stores.splice(stores.indexOf(second.store), 1);
  await second.store.close();
  setting.shareCount = 64;
  await expect
    .poll(async () => {
      await first.ask();
      return first.names.length;
    })
    .toBe(64);
  await expect(prepareUnder(killed.lease)).rejects.toThrow(StaleLeaseError);
  const restarted = new ShareKeeper(
    async () => 8,
    () => setting.nowMs,
  );
  await restarted.ask();
  expect([restarted.names, restarted.shares.leaseOf('mkt_1')]).toEqual([[], null]);
  // A share of the new count is free: the share of the old one that contains it is not.
  const [lease] = first.shares.current.slice(0, 1).map(() => first.shares.leaseOf('mkt_1'));
  await lease?.release();
  await restarted.ask();
  expect(restarted.names).toEqual([]);
  await first.ask();
  expect(first.names).toHaveLength(64);
});
