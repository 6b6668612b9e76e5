import { sampleVenueMarket } from '@core/market/testing';
import { hashOf, sampleNowMs } from '@core/position/testing';
import { usdPips } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, sampleMarket, settledEvents, type TestStore } from '../../testing/index.ts';
import { isMarketEvent, payloadOf } from '../outbox/outbox.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

test('a sync lists new markets once, refreshes known ones and emits only shown changes', async () => {
  const { markets, outbox } = testStore.store;
  const tradedMore = sampleVenueMarket('market-1', sampleNowMs, { volume24hUsdPips: usdPips(6n) });
  const both = [sampleMarket(1), sampleMarket(2)];
  const [first, second] = await Promise.all([markets.sync(both, sampleNowMs), markets.sync(both, sampleNowMs)]);
  expect(first.discovered.length + second.discovered.length).toBe(2);
  const listed = await markets.byTicker('market-1');
  expect(listed).toMatchObject({
    ...sampleMarket(1),
    status: 'active',
    discoveredAtMs: sampleNowMs,
    yesOutcomeId: null,
  });
  expect(await markets.sync(both, sampleNowMs + 1)).toEqual({ discovered: [], updated: [] });

  const version = listed?.version ?? 0n;
  const quiet = await markets.sync([sampleMarket(1, { record: tradedMore })], sampleNowMs + 2);
  expect(quiet).toEqual({ discovered: [], updated: [] });
  const loud = await markets.sync([sampleMarket(1, { title: 'Renamed' })], sampleNowMs + 3);
  expect(loud.updated.map(({ title }) => title)).toEqual(['Renamed']);
  const changed = await markets.changedSince(version);
  expect(changed.map(({ ticker }) => ticker)).toContain('market-1');
  expect(changed.at(-1)?.title).toBe('Renamed');
  expect(await markets.version()).toBe(changed.at(-1)?.version);
  const events = await settledEvents(outbox);
  expect(events.map(({ type }) => type)).toEqual(['market.discovered', 'market.discovered', 'market.updated']);
});

test('statuses move along the legal edges only', async () => {
  const { markets } = testStore.store;
  const { discovered } = await markets.sync([sampleMarket(3)], sampleNowMs);
  const id = discovered[0]?.id ?? '';
  const tries = [
    'determined',
    'closed',
    'closed',
    'disputed',
    'determined',
    'disputed',
    'determined',
    'finalized',
    'active',
  ] as const;
  const moves = [];
  for (const status of tries) {
    moves.push(await markets.moveStatus(id, status, sampleNowMs));
  }
  expect(moves).toEqual(['illegal', 'moved', 'unchanged', 'moved', 'moved', 'moved', 'moved', 'moved', 'illegal']);
  expect(await markets.moveStatus('mkt_none', 'closed', sampleNowMs)).toBe('unknown_market');
});

test('stores outcomes, payouts and the operator switch', async () => {
  const { markets } = testStore.store;
  const { discovered } = await markets.sync([sampleMarket(4)], sampleNowMs);
  const id = discovered[0]?.id ?? '';
  await markets.recordOutcomes(
    [
      { tokenId: '41', outcomeId: 7 },
      { tokenId: '42', outcomeId: 8 },
    ],
    sampleNowMs,
  );
  expect(await markets.byTokenId('42')).toMatchObject({ id, yesOutcomeId: 7, noOutcomeId: 8 });
  const payouts = {
    venueMarketId: hashOf(10_004),
    numerators: [2n ** 255n, 0n],
    denominator: 2n ** 255n,
    nowMs: sampleNowMs,
  };
  expect(await markets.recordPayouts(payouts)).toBe(true);
  expect(await markets.recordPayouts(payouts)).toBe(false);
  expect(await markets.byVenueMarketId(hashOf(10_004))).toMatchObject({
    payoutNumerators: [2n ** 255n, 0n],
    payoutDenominator: 2n ** 255n,
    payoutsReportedAtMs: sampleNowMs,
  });
  expect(await markets.setDisabled(id, 'force_disabled', sampleNowMs)).toBe(true);
  expect((await markets.byId(id))?.disabledReason).toBe('force_disabled');
});

test('each visible change writes an event with its fields; close changes share one', async () => {
  const { markets, outbox } = testStore.store;
  const from = await outbox.settledPlace();
  const { discovered } = await markets.sync([sampleMarket(5)], sampleNowMs);
  const id = discovered[0]?.id ?? '';
  const outcomes = [
    { tokenId: '51', outcomeId: 11 },
    { tokenId: '52', outcomeId: 12 },
  ];
  await markets.recordOutcomes(outcomes, sampleNowMs + 5_000);
  await markets.recordOutcomes(outcomes, sampleNowMs + 6_000);
  await markets.setDisabled(id, 'force_disabled', sampleNowMs + 10_000);
  await markets.moveStatus(id, 'closed', sampleNowMs + 20_000);
  await markets.moveStatus(id, 'determined', sampleNowMs + 20_000);
  await markets.sync([sampleMarket(5, { title: 'Renamed', oracleAddress: null })], sampleNowMs + 20_900);
  await markets.sync([sampleMarket(5, { title: 'Renamed' })], sampleNowMs + 20_950);
  const records = await settledEvents(outbox, from);
  const announced = records.filter(isMarketEvent).filter(({ marketId }) => marketId === id);
  expect(announced.map(({ type, payload }) => [type, payload?.changed])).toEqual([
    ['market.discovered', []],
    ['market.updated', ['yesOutcomeId', 'noOutcomeId']],
    ['market.updated', ['disabledReason']],
    ['market.updated', ['status']],
    ['market.updated', ['status']],
    ['market.updated', ['status', 'title']],
  ]);
  const versions = announced.map((record) => payloadOf(record).version);
  expect(versions.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(versions);
});
