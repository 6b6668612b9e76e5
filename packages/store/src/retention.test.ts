import { marketFields } from '@core/market';
import { hashOf, sampleNowMs } from '@core/position/testing';
import { usdcUnits, usdPips } from '@core/pricing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestStore,
  releaseDue,
  reserveQuote,
  sampleMarket,
  sampleReserve,
  type TestStore,
} from '../testing/index.ts';
import { fieldNamesOf } from './database/columns.ts';
import type { Statement } from './database/sql.ts';
import { removeEnded } from './keeper/createIntents.ts';
import { finalizedStatementOf } from './market/finalizedMarkets.ts';
import { removeExpiredDrafts } from './quote/createDrafts.ts';
import { removeReleased } from './quote/createQuotes.ts';
import { removeExpiredKeys } from './service/createIdempotency.ts';
import { removeExpiredWindows } from './service/createLimits.ts';

let testStore: TestStore;
let client: Client;
beforeAll(async () => {
  testStore = await openTestStore();
  client = new Client({ connectionString: testStore.database.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await testStore.close();
});

const due = sampleNowMs + 45_000;
const quoteOf = (name: string) => ({ marketId: `mkt_${name}`, partnerId: `ptn_${name}` });

test('deletes a released quote with its reservation; keeps one with a position', async () => {
  const { quotes, usage } = testStore.store;
  const [lost, opening, late] = [1, 2, 3].map((number) => sampleReserve(number, { quote: quoteOf('old') }));
  if (lost === undefined || opening === undefined || late === undefined) throw new Error('three were made');
  await reserveQuote(testStore.store, lost);
  await reserveQuote(testStore.store, opening);
  await reserveQuote(testStore.store, { ...late, releaseAtMs: due + 1_000 });
  await usage.setPosition({
    positionKey: hashOf(2),
    scope: { ...quoteOf('old'), walletAddress: opening.quote.walletAddress, side: 'yes', clusterKey: null },
    activeNotionalUsdPips: usdPips(5n),
    pendingBorrowUsdcUnits: usdcUnits(0n),
    lentBorrowUsdcUnits: usdcUnits(0n),
  });
  await releaseDue(usage, due + 1_000);
  expect(await quotes.removeReleased(due - 1, 100)).toBe(0);
  expect(await quotes.removeReleased(due, 100)).toBe(1);
  expect([await quotes.byId(lost.quote.id), await usage.reservation(hashOf(1))]).toEqual([null, null]);
  expect((await quotes.byId(opening.quote.id))?.id).toBe(opening.quote.id);
  expect((await quotes.byId(late.quote.id))?.id).toBe(late.quote.id);
  expect(await quotes.removeReleased(due + 1_000, 100)).toBe(1);
});

test('deletes empty counters, which return with their next use', async () => {
  const { usage } = testStore.store;
  await reserveQuote(testStore.store, sampleReserve(10, { quote: quoteOf('empty') }));
  const keysOf = async () =>
    (await client.query<{ key: string }>("SELECT key FROM usage_counters WHERE key LIKE '%_empty%'")).rows.length;
  const before = await keysOf();
  await usage.removeEmpty(1_000);
  expect(await keysOf()).toBe(before);
  await releaseDue(usage, due);
  await usage.removeEmpty(1_000);
  expect(await keysOf()).toBe(0);
  await reserveQuote(testStore.store, sampleReserve(11, { quote: quoteOf('empty') }));
  expect(await keysOf()).toBe(before);
});

/** Return the plan of a statement on a full table: sequential scans are disabled. */
async function planOf({ text }: Statement, values: readonly unknown[]): Promise<string> {
  await client.query('SET enable_seqscan = off; SET enable_sort = off');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test('each hot query and each retention has its index', async () => {
  const at = { ticker: 'market-5', discoveredAtMs: sampleNowMs };
  const page = { sort: 'ticker', limit: 25, cursor: { at, direction: 'after' }, withTotalCount: false } as const;
  const planOfPage = (change: object) => {
    const { statement, values } = finalizedStatementOf({ ...page, ...change }, fieldNamesOf(marketFields));
    return planOf(statement, values);
  };
  expect(await planOfPage({})).toContain('markets_finalized_by_ticker');
  expect(await planOfPage({ cursor: { at, direction: 'before' } })).toContain('markets_finalized_by_ticker');
  expect(await planOfPage({ sort: 'discovered' })).toContain('markets_finalized_by_discovery');
  expect(await planOfPage({ seriesTicker: 'series-1' })).toContain('markets_finalized_by_series');
  expect(await planOf(removeReleased, [new Date(0), 1])).toContain('reservations_released');
  expect(await planOf(removeEnded, [new Date(0), 1])).toContain('intents_ended');
  expect(await planOf(removeExpiredDrafts, [new Date(0), 1])).toContain('drafts_expires_at_idx');
  expect(await planOf(removeExpiredKeys, [new Date(0), 1])).toContain('idempotency_keys_expires_at_idx');
  expect(await planOf(removeExpiredWindows, [0, 1])).toContain('rate_limits_expire_idx');
});

test('a page of finalized markets is cut by the database, forwards and backwards, in both orders', async () => {
  const { markets } = testStore.store;
  for (let number = 1; number <= 7; number += 1) {
    await markets.sync([sampleMarket(number)], sampleNowMs + (number % 3) * 1_000);
  }
  const { records } = await markets.unfinalized();
  for (const { id, ticker } of records) {
    if (ticker === 'market-7') continue;
    for (const status of ['closed', 'determined', 'finalized'] as const) {
      await markets.moveStatus(id, status, sampleNowMs);
    }
  }
  expect((await markets.unfinalized()).records.map(({ ticker }) => ticker)).toEqual(['market-7']);
  const orders = {
    ticker: [1, 2, 3, 4, 5, 6],
    // By the second they were discovered in, the latest first, then by ticker.
    discovered: [2, 5, 1, 4, 3, 6],
  };
  for (const sort of ['ticker', 'discovered'] as const) {
    const tickers = orders[sort].map((number) => `market-${number}`);
    const plain = { sort, limit: 4, cursor: null, withTotalCount: true };
    const first = await markets.listFinalized(plain);
    expect([first.rows.map(({ ticker }) => ticker), first.hasMore, first.totalCount]).toEqual([
      tickers.slice(0, 4),
      true,
      6,
    ]);
    const last = first.rows.at(-1);
    if (last === undefined) throw new Error('a page has rows');
    const second = await markets.listFinalized({ ...plain, cursor: { at: last, direction: 'after' } });
    expect([second.rows.map(({ ticker }) => ticker), second.hasMore]).toEqual([tickers.slice(4), false]);
    const back = await markets.listFinalized({ ...plain, limit: 2, cursor: { at: last, direction: 'before' } });
    expect([back.rows.map(({ ticker }) => ticker), back.hasMore]).toEqual([tickers.slice(1, 3), true]);
  }
  const tickersOf = (numbers: readonly number[]) => numbers.map((number) => `market-${number}`);
  const searched = { sort: 'ticker', limit: 10, cursor: null, withTotalCount: false } as const;
  const idsOf = async (query: string) =>
    (await markets.listFinalized({ ...searched, query })).rows.map(({ ticker }) => ticker);
  expect([await idsOf('MARKET 3'), await idsOf('market-4'), await idsOf('51'), await idsOf('%')]).toEqual([
    ['market-3'],
    ['market-4'],
    ['market-5'],
    [],
  ]);
  // Parts of one and two characters, one that stands twice, and pieces that are there but not side by side.
  expect([await idsOf('6'), await idsOf('t 2'), await idsOf('rket')]).toEqual([
    ['market-6'],
    ['market-2'],
    tickersOf([1, 2, 3, 4, 5, 6]),
  ]);
  expect([await idsOf('markearket'), await idsOf(' ')]).toEqual([[], tickersOf([1, 2, 3, 4, 5, 6])]);
  expect([await markets.hasEvent('event-1'), await markets.hasEvent('none')]).toEqual([true, false]);
});

test('a search names a ticker in any case, however the venue writes it, and any part of a title', async () => {
  const { markets } = testStore.store;
  const { discovered } = await markets.sync(
    [sampleMarket(50, { ticker: 'BTC-Up-50', title: 'Größe: 100% of \\_"A"' }), sampleMarket(51, { title: null })],
    sampleNowMs,
  );
  for (const { id } of discovered) {
    for (const status of ['closed', 'determined', 'finalized'] as const) {
      await markets.moveStatus(id, status, sampleNowMs);
    }
  }
  const plain = { sort: 'ticker', limit: 10, cursor: null, withTotalCount: true } as const;
  const idsOf = async (query: string, change: object = {}) => {
    const { rows, totalCount } = await markets.listFinalized({ ...plain, ...change, query });
    expect(totalCount).toBe(rows.length);
    return rows.map(({ ticker }) => ticker);
  };
  for (const query of ['btc-up-50', 'BTC-UP-50', 'BTC-Up-50', '501', 'größe', 'öß', '% of \\', '\\_"a"', ':']) {
    expect(await idsOf(query)).toEqual(['BTC-Up-50']);
  }
  expect(await idsOf('btc-up')).toEqual([]);
  expect(await idsOf('größe', { category: 'sport' })).toEqual([]);
  expect(await idsOf('BTC-UP-50', { eventTicker: 'event-1' })).toEqual(['BTC-Up-50']);
  expect(await idsOf('market-51')).toEqual(['market-51']);
});
