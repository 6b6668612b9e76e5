import { isMatch } from '@core/market';
import { sampleNowMs } from '@core/position/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, sampleMarket, type TestStore } from '../../testing/index.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

const titles = [null, '', 'Größe 1', 'BTC above 1%', 'btc_above\\1', 'MARKET-3', '31'];
const tickers = ['BTC-Up', 'btc-down', 'größe', 'a%b', 'a_b', 'zz', '12'];
const marketCount = 42;

test('law: a filter finds in the database what its predicate finds in memory', async () => {
  const { markets } = testStore.store;
  const listed = Array.from({ length: marketCount }, (_, index) =>
    sampleMarket(index + 1, {
      ticker: `${tickers[index % 7]}${index < 7 ? '' : index}`,
      title: titles[Math.floor(index / 6)] ?? null,
      category: index % 2 === 0 ? 'sport' : 'crypto',
      eventTicker: `event-${index % 5}`,
      seriesTicker: `series-${index % 3}`,
    }),
  );
  const { discovered } = await markets.sync(listed, sampleNowMs);
  for (const { id } of discovered) {
    for (const status of ['closed', 'determined', 'finalized'] as const) {
      await markets.moveStatus(id, status, sampleNowMs);
    }
  }
  const page = { sort: 'ticker', limit: 100, cursor: null, withTotalCount: true } as const;
  const { rows } = await markets.listFinalized(page);
  expect(rows).toHaveLength(marketCount);
  const texts = [
    ...tickers,
    ...titles,
    ...rows.flatMap(({ ticker, yesTokenId, noTokenId }) => [ticker, yesTokenId, noTokenId]),
  ];
  const text = fc
    .tuple(fc.constantFrom(...texts), fc.nat(4), fc.integer({ min: 1, max: 9 }), fc.boolean())
    .map(([from, start, length, isUpper]) => {
      const part = (from ?? '').slice(start, start + length);
      return part === '' ? '1' : isUpper ? part.toUpperCase() : part;
    });
  const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const anyFilters = fc.record({
    category: maybe(fc.constantFrom('sport', 'crypto')),
    eventTicker: maybe(fc.nat(5).map((number) => `event-${number}`)),
    seriesTicker: maybe(fc.nat(3).map((number) => `series-${number}`)),
    query: maybe(
      fc.oneof(
        text,
        fc.constantFrom(...texts).map((whole) => whole || '1'),
      ),
    ),
  });
  await fc.assert(
    fc.asyncProperty(anyFilters, async (filters) => {
      const inMemory = rows.filter((record) => isMatch(record, filters)).map(({ ticker }) => ticker);
      const selected = await markets.listFinalized({ ...page, ...filters });
      expect(selected.rows.map(({ ticker }) => ticker)).toEqual(inMemory);
      expect(selected.totalCount).toBe(inMemory.length);
    }),
    { numRuns: 200 },
  );
});
