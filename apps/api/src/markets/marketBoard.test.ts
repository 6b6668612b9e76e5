import { policyDefaults } from '@core/policy';
import { rateBps } from '@core/pricing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/startTestApi.ts';
import { MarketBoard } from './marketBoard.ts';
import { type MarketBooks, MarketDirectory } from './marketDirectory.ts';

const tickers = Array.from({ length: 60 }, (_, index) => `market-${String(index).padStart(2, '0')}`);
let api: TestApi;
let directory: MarketDirectory;
beforeAll(async () => {
  api = await startTestApi({ tickers });
  directory = new MarketDirectory({ store: api.store, live: api.live, clock: api.clock });
  await directory.refresh();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => api.close());

/** A board that counts what it builds and reads; its views may be 250 ms old. */
function countedBoard(booksOf: () => MarketBooks) {
  const counts = { built: 0, read: 0 };
  const { usage } = api.store;
  const board = new MarketBoard({
    store: {
      usage: {
        ...usage,
        readMarkets: (partnerId, markets) => {
          counts.read += 1;
          return usage.readMarkets(partnerId, markets);
        },
      },
    },
    markets: {
      booksOf,
      observe: (record) => {
        counts.built += 1;
        return directory.observe(record);
      },
    },
    pool: api.pool,
    keeper: { policyOf: () => policyDefaults, debtWatchAgeMs: () => 0 },
    config: policyDefaults,
    contract: { maxOriginationFeeBps: rateBps(500n) },
    idNamespace: '',
    maxAgeMs: 250,
  });
  const shown = async (count: number): Promise<readonly string[]> => {
    const seen: string[] = [];
    const partner = api.partners[0]?.record;
    if (partner === undefined) throw new Error('no partner');
    for await (const { record } of board.viewsOf(partner, directory.sorted())) {
      seen.push(record.ticker);
      if (seen.length === count) break;
    }
    return seen;
  };
  return { board, counts, shown };
}

function booksOfFirst(): MarketBooks {
  const [first] = directory.sorted();
  if (first === undefined) throw new Error('no market');
  return directory.booksOf(first);
}

test('a view is good for a moment, and four times as long while no book of its market has changed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let books = booksOfFirst();
  const { counts, shown } = countedBoard(() => books);
  await shown(1);
  await shown(1);
  expect(counts.built).toBe(1);
  vi.advanceTimersByTime(900);
  await shown(1);
  expect(counts.built).toBe(1);
  vi.advanceTimersByTime(200);
  await shown(1);
  expect(counts.built).toBe(2);
  books = booksOfFirst();
  await shown(1);
  expect(counts.built).toBe(2);
  vi.advanceTimersByTime(300);
  await shown(1);
  expect(counts.built).toBe(3);
});

test('what is not shown is not built, and a long list reads its counters a few times only', async () => {
  const { counts, shown } = countedBoard(() => ({
    yes: { book: null, bookAgeMs: null },
    no: { book: null, bookAgeMs: null },
  }));
  expect(await shown(3)).toEqual(tickers.slice(0, 3));
  expect(counts).toEqual({ built: 3, read: 1 });
  expect(await shown(60)).toEqual(tickers);
  // Sixteen, thirty-two, and the rest.
  expect(counts).toEqual({ built: 60, read: 4 });
});

test('depth is what both books clear', () => {
  const [first] = directory.sorted();
  if (first === undefined) throw new Error('no market');
  const { board } = countedBoard(booksOfFirst);
  const { board: empty } = countedBoard(() => ({
    yes: { book: null, bookAgeMs: null },
    no: { book: null, bookAgeMs: null },
  }));
  expect(board.depthOf(first) > empty.depthOf(first)).toBe(true);
});
