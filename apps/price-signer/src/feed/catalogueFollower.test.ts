import type { VenueMarket } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { type PoisonedItems, poisonKinds, servedBeside } from '@core/testkit';
import { type VenueClient, VenueFault } from '@core/venue';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CatalogueFollower } from './catalogueFollower.ts';

type Query = Parameters<VenueClient['cataloguePage']>[0];

const intervalMs = 5_000;
const marketOf = (ticker: string, changes: Partial<VenueMarket> = {}): VenueMarket =>
  sampleVenueMarket(ticker, 0, {
    conditionId: `0x${ticker}`,
    tokenIds: { yes: `${ticker}-yes`, no: `${ticker}-no` },
    ...changes,
  });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A venue of open markets, a few on each page, and closed ones that only a question by name finds. */
function worldOf(pageSize = 3, hasManaged = true) {
  const open = new Map<string, VenueMarket>();
  const closedMarkets = new Map<string, VenueMarket>();
  const queries: Query[] = [];
  const watched = new Set<string>();
  const unwatched: string[] = [];
  let fault: VenueFault | null = null;
  let refuses: (ticker: string) => void = () => undefined;
  const client = {
    cataloguePage: (query: Query) => {
      queries.push(query);
      if (fault !== null) return Promise.reject(fault);
      const { conditionIds, cursor } = query;
      if (conditionIds !== undefined) {
        const all = [...open.values(), ...closedMarkets.values()];
        const markets = all.filter(({ conditionId }) => conditionIds.includes(conditionId ?? ''));
        return Promise.resolve({ markets, unreadable: [], nextCursor: null });
      }
      const from = Number(cursor ?? 0);
      const markets = [...open.values()].slice(from, from + pageSize);
      const nextCursor = from + pageSize < open.size ? String(from + pageSize) : null;
      return Promise.resolve({ markets, unreadable: [], nextCursor });
    },
  };
  const watch = {
    watch: ({ ticker }: VenueMarket) => {
      refuses(ticker);
      watched.add(ticker);
    },
    unwatch: (ticker: string) => void watched.delete(ticker),
  };
  const follower = new CatalogueFollower({
    client,
    watch,
    onUnwatched: ({ ticker }) => unwatched.push(ticker),
    hasManaged,
    logger: pino({ level: 'silent' }),
    intervalMs: 1,
  });
  const roundsUntil = (isOver: () => boolean) => vi.waitUntil(isOver, { timeout: 40_000, interval: 1 });
  return {
    open,
    closed: closedMarkets,
    queries,
    watched,
    unwatched,
    follower,
    roundsUntil,
    fail: (next: VenueFault | null) => (fault = next),
    refuse: (next: (ticker: string) => void) => (refuses = next),
  };
}

test('follower: many pages → reads all before it starts, then one per round, and never closed markets', async () => {
  const world = worldOf();
  for (let index = 0; index < 10; index += 1) world.open.set(`m${index}`, marketOf(`m${index}`));
  await world.follower.start();
  expect(world.watched.size).toBe(10);
  expect(world.queries.map(({ cursor }) => cursor)).toEqual([undefined, '3', '6', '9']);
  await world.roundsUntil(() => world.queries.length >= 8);
  world.follower.close();
  expect(world.queries.slice(4, 8).map(({ cursor }) => cursor)).toEqual([undefined, '3', '6', '9']);
  expect(world.queries.every(({ closed }) => closed === false)).toBe(true);
  expect(world.follower.isCurrent).toBe(true);
});

test('follower: a market stops trading → read by condition until it is resolved, then removed', async () => {
  const world = worldOf();
  world.open.set('a', marketOf('a'));
  world.open.set('b', marketOf('b'));
  await world.follower.start();
  world.open.delete('b');
  world.closed.set('b', marketOf('b', { isClosed: true }));
  await world.roundsUntil(() => world.queries.filter(({ conditionIds }) => conditionIds?.includes('0xb')).length >= 2);
  expect([...world.watched]).toEqual(['a', 'b']);
  world.closed.set('b', marketOf('b', { isClosed: true, resolutionStatus: 'resolved' }));
  await world.roundsUntil(() => world.unwatched.length > 0);
  world.follower.close();
  expect([...world.watched]).toEqual(['a']);
  expect(world.unwatched).toEqual(['b']);
});

test('follower: a request in a market that stopped trading → read at a bounded rate, and watched', async () => {
  const world = worldOf();
  world.closed.set('z', marketOf('z', { isClosed: true }));
  for (let count = 0; count < 10; count += 1) await world.follower.readMarket('0xz');
  expect(world.queries).toEqual([{ conditionIds: ['0xz'], limit: 500 }]);
  expect([...world.watched]).toEqual(['z']);
  vi.advanceTimersByTime(intervalMs);
  world.fail(new VenueFault({ code: 'venue_unavailable', kind: 'retryable', effect: 'no', message: '503' }));
  await world.follower.readMarket('0xz');
  expect(world.queries.length).toBe(2);
});

test('follower: no page can be read → the market data counts as stale', async () => {
  const world = worldOf();
  world.open.set('a', marketOf('a'));
  await world.follower.start();
  expect(world.follower.isCurrent).toBe(true);
  world.fail(new VenueFault({ code: 'venue_unavailable', kind: 'retryable', effect: 'no', message: '503' }));
  await world.roundsUntil(() => world.queries.length >= 3);
  vi.advanceTimersByTime(13);
  expect(world.follower.isCurrent).toBe(false);
  world.follower.close();
});

test.each(poisonKinds.filter((kind) => kind !== 'hangs'))(
  'follower: one market of a page %s → the others are watched',
  async (kind) => {
    const keys = Array.from({ length: 9 }, (_, index) => `m${index}`);
    const { usual, beside } = await servedBeside({ keys, kind, rubbish: undefined }, async (items: PoisonedItems) => {
      const world = worldOf(9);
      for (const key of keys) world.open.set(key, marketOf(key));
      world.refuse((ticker) => {
        void items.serve(ticker, () => undefined).catch(() => undefined);
        if (ticker === items.poisonKey && kind.startsWith('throws')) throw new Error('poison');
      });
      await world.follower.start();
      world.follower.close();
      expect(world.watched.size).toBeGreaterThanOrEqual(8);
    });
    expect(beside).toEqual(usual);
  },
);

test.each([
  ['with the ledger', true, ['plain', 'managed']],
  ['without it', false, ['plain']],
])('a signer of a vault %s watches markets of the PositionManager accordingly, negative risk never', async (...row) => {
  const [_name, hasManaged, expected] = row;
  const world = worldOf(3, hasManaged);
  world.open.set('plain', marketOf('plain'));
  world.open.set('managed', marketOf('managed', { version: 'v2' }));
  world.open.set('managed-risk', marketOf('managed-risk', { version: 'v2', isNegRisk: true }));
  world.open.set('plain-risk', marketOf('plain-risk', { isNegRisk: true }));
  await world.follower.start();
  world.follower.close();
  expect([...world.watched]).toEqual(expected);
});
