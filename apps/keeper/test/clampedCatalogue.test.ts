import { policyDefaults } from '@core/policy';
import { type Lease, openStore, type Store } from '@core/store';
import { createTestDatabase } from '@core/store/testing';
import { HttpVenueClient, RequestBudget, realVenueProfile } from '@core/venue';
import { startVenueSim, type VenueSim } from '@core/venue-sim';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncCatalogueTask } from '../src/markets/syncCatalogue.ts';
import { createKeeperMetrics } from '../src/runner/keeperMetrics.ts';

/** Daily strikes of each asset that make more than 2,600 markets. */
const strikesPerAsset = 645;
const endings: (() => Promise<void>)[] = [];
let sim: VenueSim;
let store: Store;

beforeAll(async () => {
  sim = await startVenueSim({ seed: 'clamped', strikesPerAsset, isTimerOn: false, profile: realVenueProfile });
  endings.push(() => sim.close());
  const database = await createTestDatabase();
  endings.push(() => database.close());
  store = openStore({ databaseUrl: database.databaseUrl });
  endings.push(() => store.close());
});
afterAll(async () => {
  for (const end of endings.toReversed()) await end();
});

const lease = { fenceToken: 1n } as Lease;

test('catalogue: 2,600 markets in pages that are cut to 100 → all are listed, and a finished one is followed by its id', async () => {
  const { oracle, collateralToken } = sim.venue.options;
  const venue = new HttpVenueClient({
    url: sim.url,
    catalogueList: realVenueProfile.catalogueList,
    budget: new RequestBudget(realVenueProfile.limits),
  });
  const sizes: number[] = [];
  const task = syncCatalogueTask({
    venue: {
      cataloguePage: async (query) => {
        const page = await venue.cataloguePage(query);
        if (query.conditionIds === undefined) sizes.push(page.markets.length + page.unreadable.length);
        return page;
      },
    },
    markets: store.markets,
    rules: { collateralToken, oracles: [oracle], oracleAggregator: null, policy: policyDefaults },
    clock: { nowMs: () => sim.venue.nowMs },
    logger: pino({ level: 'silent' }),
    metrics: createKeeperMetrics(),
  });
  const listed = sim.venue.markets.listed.filter(({ market }) => market.stage === 'trading');
  expect(listed.length).toBeGreaterThan(2_600);
  for (let round = 0; round < Math.ceil(listed.length / 500); round += 1) await task.run(lease);
  expect(Math.max(...sizes)).toBe(100);
  const { records } = await store.markets.unfinalized();
  const slugsOf = (markets: typeof listed) => markets.map(({ market }) => market.definition.slug);
  const tickers = new Set(records.map(({ ticker }) => ticker));
  expect(slugsOf(listed).filter((slug) => !tickers.has(slug))).toEqual([]);
  // The venue lists further markets while the rounds run.
  const slugsNow = new Set(slugsOf(sim.venue.markets.listed));
  expect([...tickers].filter((ticker) => !slugsNow.has(ticker))).toEqual([]);

  // A market that moves to the contracts of the other version is refused by name.
  const [finished, moved] = listed;
  if (finished === undefined || moved === undefined) throw new Error('no market trades');
  moved.market.effects.moveVersion(sim.venue.nowMs + 3_600_000);
  const disabledReasonOf = async () => (await store.markets.byTicker(moved.market.definition.slug))?.disabledReason;
  for (let round = 0; round < 20 && (await disabledReasonOf()) === null; round += 1) await task.run(lease);
  expect(await disabledReasonOf()).toBe('the venue moved this market to contract version v2');

  // The public list no longer has it: only its id does.
  const { slug } = finished.market.definition;
  await sim.venue.resolveNow(finished, 0);
  const statusOf = async () => (await store.markets.byTicker(slug))?.status;
  for (let round = 0; round < 20 && (await statusOf()) === 'active'; round += 1) await task.run(lease);
  expect(await statusOf()).toBe('determined');
});
