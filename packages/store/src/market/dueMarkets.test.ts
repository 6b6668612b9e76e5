import type { ListedMarket } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { sampleNowMs } from '@core/position/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, sampleMarket, type TestStore } from '../../testing/index.ts';
import type { Statement } from '../database/sql.ts';
import { selectUnfinalized, selectUnregistered, selectUnresolved } from './createMarkets.ts';
import type { DueMarket } from './markets.ts';

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

const list = async (number: number, changes: Partial<ListedMarket> = {}): Promise<string> => {
  const { discovered } = await testStore.store.markets.sync([sampleMarket(number, changes)], sampleNowMs);
  return discovered[0]?.id ?? '';
};
const tickersOf = (markets: readonly DueMarket[]): readonly string[] => markets.map(({ ticker }) => ticker);
const finish = async (id: string): Promise<void> => {
  for (const status of ['closed', 'determined', 'finalized'] as const) {
    await testStore.store.markets.moveStatus(id, status, sampleNowMs);
  }
};

test('due markets: the soonest close first, without finished and postponed ones', async () => {
  const { markets } = testStore.store;
  const late = await list(1, { closeTimeMs: sampleNowMs + 9_000 });
  const soon = await list(2, { closeTimeMs: sampleNowMs + 5_000 });
  await list(3, { closeTimeMs: null, oracleAddress: null });
  const final = await list(4, { closeTimeMs: sampleNowMs + 1_000 });
  await finish(final);
  const record = sampleVenueMarket('market-5', sampleNowMs, { resolutionStatus: 'proposed' });
  const speaking = await list(5, { closeTimeMs: sampleNowMs + 7_000, record });
  const none = { except: [], limit: 10 };

  expect(tickersOf(await markets.unregistered(none))).toEqual(['market-2', 'market-5', 'market-1']);
  expect(tickersOf(await markets.unregistered({ except: [soon], limit: 1 }))).toEqual(['market-5']);
  await markets.recordOutcomes([{ tokenId: '51', outcomeId: 1 }], sampleNowMs);
  expect(tickersOf(await markets.unregistered(none))).toContain('market-5');
  await markets.recordOutcomes([{ tokenId: '52', outcomeId: 2 }], sampleNowMs);
  expect(tickersOf(await markets.unregistered(none))).toEqual(['market-2', 'market-1']);

  const unresolved = async (nowMs: number, ...except: readonly Pick<DueMarket, 'id' | 'status'>[]) =>
    tickersOf(await markets.unresolved({ nowMs, except, limit: 10 }));
  expect(await unresolved(sampleNowMs)).toEqual(['market-5']);
  expect(await unresolved(sampleNowMs + 5_000)).toEqual(['market-5', 'market-2']);
  await markets.moveStatus(late, 'closed', sampleNowMs);
  expect((await unresolved(sampleNowMs)).toSorted()).toEqual(['market-1', 'market-5']);
  expect(await unresolved(sampleNowMs, { id: speaking, status: 'active' })).toEqual(['market-1']);
  // Another status is another reason to look.
  const asActive = { id: late, status: 'active' } as const;
  expect(await unresolved(sampleNowMs, asActive, { id: speaking, status: 'active' })).toEqual(['market-1']);

  const { records } = await markets.unfinalized();
  expect(tickersOf(records).toSorted()).toEqual(['market-1', 'market-2', 'market-3', 'market-5']);
});

test('due markets: every query reads the index, beside ten thousand finished ones', async () => {
  await client.query(`
    INSERT INTO markets (id, ticker, venue_market_id, question_id, oracle_address, yes_token_id, no_token_id, category,
      event_ticker, event_title, tags, status, close_time, discovered_at, record, payout_numerators, payout_denominator,
      updated_at)
    SELECT 'mkt_f' || n, 'finished-' || n, 'finished-' || n, 'q', 'o', n || '-1', n || '-2', 'crypto', 'e', 'e', '{}',
      'finalized', now(), now(), '{"resolutionStatus":"settled"}', '{1,0}', '1', now()
    FROM generate_series(1, 10000) AS n`);
  await client.query('ANALYZE markets');
  const planOf = async ({ text }: Statement, values: readonly unknown[]): Promise<string> => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`, [...values]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const plans = {
    markets_unregistered: await planOf(selectUnregistered, [[], 100]),
    markets_unresolved: await planOf(selectUnresolved, [new Date(sampleNowMs), [], 100]),
    markets_unfinished: await planOf(selectUnfinalized, []),
  };
  for (const [index, plan] of Object.entries(plans)) {
    expect(plan).toMatch(new RegExp(`Index Scan (using|on) ${index}`));
    expect(plan).not.toMatch(/Seq Scan|Rows Removed by Filter: \d{3}/);
  }
});
