import type { ListedMarket, VenueMarket } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { pricePips } from '@core/pricing';
import type { DueMarket, Lease, Store } from '@core/store';
import { type VenueClient, VenueFault } from '@core/venue';
import * as fc from 'fast-check';
import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { syncCatalogueTask } from './syncCatalogue.ts';

afterEach(() => {
  vi.useRealTimers();
});

const nowMs = 1_800_000_000_000;
const idOf = (number: number): `0x${string}` => `0x${number.toString(16).padStart(64, '0')}`;

/** A neg-risk market, which needs no proof of its tokens. */
const marketOf = (number: number): VenueMarket =>
  sampleVenueMarket(`m${number}`, nowMs, {
    conditionId: idOf(number),
    questionId: idOf(1_000_000 + number),
    tokenIds: { yes: `1${number}`, no: `2${number}` },
    isNegRisk: true,
    closeTimeMs: nowMs + 86_400_000 + number,
    event: null,
    series: null,
  });

type Query = Parameters<VenueClient['cataloguePage']>[0];
type Page = Awaited<ReturnType<VenueClient['cataloguePage']>>;

/** A task over a catalogue that a test answers for, and a list in memory that refuses what the test says. */
function start(
  answer: (query: Query) => Page | Promise<Page>,
  isWritable: (market: ListedMarket) => boolean = () => true,
) {
  const listed = new Map<string, ListedMarket>();
  const requests: Query[] = [];
  const statuses = new Map<string, string>();
  const sync: Store['markets']['sync'] = async (markets) => {
    if (!markets.every(isWritable)) throw new Error('invalid byte sequence');
    for (const market of markets) listed.set(market.ticker, market);
    return { discovered: [], updated: [] };
  };
  const disabled = new Map<string, string | null>();
  const recordOf = ({ ticker, venueMarketId, yesTokenId, closeTimeMs }: ListedMarket): DueMarket => {
    const status = statuses.get(ticker) ?? 'active';
    const disabledReason = disabled.get(ticker) ?? null;
    return { id: ticker, ticker, venueMarketId, yesTokenId, closeTimeMs, status, disabledReason } as DueMarket;
  };
  const markets = {
    sync,
    unfinalized: async () => ({ records: [], version: 0n }),
    changedSince: async () => [...listed.values()].map((market) => ({ ...recordOf(market), version: 1n })),
    moveStatus: async (id: string, status: string) => {
      statuses.set(id, status);
      return 'moved';
    },
    setDisabled: async (id: string, reason: string | null) => {
      disabled.set(id, reason);
      return true;
    },
  } as object as Store['markets'];
  const metrics = createKeeperMetrics();
  const task = syncCatalogueTask({
    venue: {
      cataloguePage: async (query) => {
        requests.push(query);
        return answer(query);
      },
    },
    markets,
    rules: { collateralToken: `0x${'00'.repeat(20)}`, oracles: [], oracleAggregator: null, policy: policyDefaults },
    clock: { nowMs: () => nowMs },
    logger: pino({ level: 'silent' }),
    metrics,
  });
  return {
    tickers: () => [...listed.keys()],
    statuses,
    disabled,
    requests,
    metrics,
    round: () => task.run({ fenceToken: 1n } as Lease),
  };
}

const fault = (kind: VenueFault['kind']): VenueFault =>
  new VenueFault({ code: 'venue_unavailable', kind, effect: 'no', message: 'poison' });

/** Pages of `size` markets, by number. */
const pageOf = (count: number, size: number, { cursor, conditionIds }: Query): Page => {
  const all = Array.from({ length: count }, (_, number) => marketOf(number));
  if (conditionIds !== undefined) {
    const named = all.filter(({ conditionId }) => conditionIds.includes(conditionId ?? ''));
    return { markets: named, unreadable: [], nextCursor: null };
  }
  const from = Number(cursor ?? 0);
  const nextCursor = from + size < count ? String(from + size) : null;
  return { markets: all.slice(from, from + size), unreadable: [], nextCursor };
};

test('catalogue: pages of 100 → a round reads 500 records of them, and a pass ends in as few rounds as before', async () => {
  const catalogue = start((query) => pageOf(1_200, 100, query));
  await catalogue.round();
  expect(catalogue.tickers()).toHaveLength(500);
  await catalogue.round();
  await catalogue.round();
  expect(catalogue.tickers()).toHaveLength(1_200);
});

test('catalogue: one page of n fails for ever → those before it are listed each round, the round says so', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), async (poisoned) => {
      const catalogue = start((query) => {
        if (query.conditionIds === undefined && Number(query.cursor ?? 0) === poisoned * 10) throw fault('retryable');
        return pageOf(50, 10, query);
      });
      await expect(catalogue.round()).rejects.toMatchObject({ code: 'venue_unavailable' });
      expect(catalogue.tickers()).toHaveLength(poisoned * 10);
    }),
  );
});

test('catalogue: the database refuses one record of n → the others of its page are listed, it is counted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 20 }), fc.nat(19), async (count, index) => {
      const poisoned = `m${index % count}`;
      const catalogue = start(
        (query) => pageOf(count, 100, query),
        ({ ticker }) => ticker !== poisoned,
      );
      await catalogue.round();
      expect(new Set([...catalogue.tickers(), poisoned]).size).toBe(count);
      expect(catalogue.tickers()).not.toContain(poisoned);
      const { values } = await catalogue.metrics.failingItems.get();
      expect(values.find(({ labels }) => labels.name === 'writeMarkets')?.value).toBe(1);
    }),
  );
});

test('catalogue: unreadable records, and records without a known version → the gauge counts them by problem', async () => {
  const catalogue = start((query) => ({
    ...pageOf(3, 100, query),
    unreadable: [
      { slug: 'odd', problem: 'malformed', reason: 'slug' },
      { slug: null, problem: 'malformed', reason: 'no record' },
      { slug: 'old', problem: 'version_missing', reason: 'has no version' },
      { slug: 'new', problem: 'version_unknown', reason: 'version v3 is unknown' },
    ],
  }));
  await catalogue.round();
  expect(catalogue.tickers()).toHaveLength(3);
  const { values } = await catalogue.metrics.unreadableMarkets.get();
  expect(Object.fromEntries(values.map(({ labels, value }) => [labels.problem, value]))).toEqual({
    malformed: 2,
    version_missing: 1,
    version_unknown: 1,
  });
});

/** Fields of a market that YES has won. */
const won = { resolutionStatus: 'resolved', outcomePricePips: [pricePips(10_000n), pricePips(0n)] } as const;

test('catalogue: finished markets are left out unless asked for → they are read by id and their status moves', async () => {
  let isClosed = false;
  const catalogue = start(({ closed = false, ...query }) => {
    const page = pageOf(3, 100, query);
    const markets = page.markets.map((market) =>
      market.ticker === 'm1' && isClosed ? { ...market, isClosed, ...won } : market,
    );
    return { ...page, markets: markets.filter((market) => market.isClosed === closed) };
  });
  await catalogue.round();
  isClosed = true;
  await catalogue.round();
  expect(catalogue.statuses.get('m1')).toBe('determined');
  expect(catalogue.requests.at(-1)).toMatchObject({ closed: true, conditionIds: [idOf(1)] });
});

test('catalogue: a circle of cursors, or no end for ten minutes → the task fails', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const circle = start(() => ({ markets: [marketOf(1)], unreadable: [], nextCursor: 'again' }));
  await expect(circle.round()).rejects.toMatchObject({ code: 'venue_answer_malformed' });

  let number = 0;
  const endless = start(({ conditionIds }) => {
    number += 1;
    return { markets: conditionIds === undefined ? [marketOf(number)] : [], unreadable: [], nextCursor: `${number}` };
  });
  await endless.round();
  vi.advanceTimersByTime(600_000);
  await endless.round();
  vi.advanceTimersByTime(1);
  await expect(endless.round()).rejects.toMatchObject({ origin: 'venue', kind: 'retryable' });
  expect((await endless.metrics.catalogueAge.get()).values[0]?.value).toBeGreaterThan(600);
});

test('catalogue: a listed market moves to contract version v2 → it is disabled by name and counted, the others trade', async () => {
  let isMoved = false;
  const catalogue = start((query) => {
    const page = pageOf(3, 10, query);
    const [first, ...others] = page.markets;
    if (first === undefined || !isMoved) return page;
    // Its condition is one of 31 bytes now.
    const moved = { ...first, version: 'v2', conditionId: idOf(77 * 256), isNegRisk: false } as const;
    return { ...page, markets: [moved, ...others] };
  });
  await catalogue.round();
  expect(catalogue.tickers()).toEqual(['m0', 'm1', 'm2']);
  isMoved = true;
  await catalogue.round();
  await catalogue.round();
  expect([...catalogue.disabled]).toEqual([['m0', 'the venue moved this market to contract version v2']]);
  const { values } = await catalogue.metrics.unreadableMarkets.get();
  expect(values).toMatchObject([{ labels: { problem: 'version_unsupported' }, value: 1 }]);
});
