import { policyDefaults } from '@core/policy';
import { rateBps } from '@core/pricing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/startTestApi.ts';
import { MarketBoard } from './marketBoard.ts';
import { type MarketBooks, MarketDirectory } from './marketDirectory.ts';

const tickers = Array.from({ length: 60 }, (_, index) => `market-${String(index).padStart(2, '0')}`);
/** No record of these tests is unreadable. */
const throwCause = (_item: unknown, cause: unknown): never => {
  throw cause;
};
let api: TestApi;
let directory: MarketDirectory;
beforeAll(async () => {
  api = await startTestApi({ tickers });
  directory = new MarketDirectory({ store: api.store, live: api.live, clock: api.clock, onPoison: throwCause });
  await directory.refresh();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => api.close());

/** A board that counts what it builds, reads and reports; its views may be 250 ms old. */
function countedBoard(booksOf: () => MarketBooks, isPoison: (ticker: string) => boolean = () => false) {
  const counts = { built: 0, read: 0 };
  const reported: string[] = [];
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
        if (isPoison(record.ticker)) throw new Error('poison');
        return directory.observe(record);
      },
    },
    pool: api.pool,
    keeper: { policyOf: () => policyDefaults, debtWatchAgeMs: () => 0 },
    config: policyDefaults,
    contract: { maxOriginationFeeBps: rateBps(500n) },
    idNamespace: '',
    maxAgeMs: 250,
    onPoison: ({ id }) => reported.push(id),
  });
  const tickersOf = async (count: number): Promise<readonly string[]> => {
    const tickers: string[] = [];
    const partner = api.partners[0]?.record;
    if (partner === undefined) throw new Error('no partner');
    for await (const { record } of board.viewsOf(partner, directory.sorted())) {
      tickers.push(record.ticker);
      if (tickers.length === count) break;
    }
    return tickers;
  };
  return { board, counts, reported, tickersOf };
}

function booksOfFirst(): MarketBooks {
  const [first] = directory.sorted();
  if (first === undefined) throw new Error('no market');
  return directory.booksOf(first);
}

test('a view is good for a moment, and four times as long while no book of its market has changed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let books = booksOfFirst();
  const { counts, tickersOf } = countedBoard(() => books);
  await tickersOf(1);
  await tickersOf(1);
  expect(counts.built).toBe(1);
  vi.advanceTimersByTime(900);
  await tickersOf(1);
  expect(counts.built).toBe(1);
  vi.advanceTimersByTime(200);
  await tickersOf(1);
  expect(counts.built).toBe(2);
  books = booksOfFirst();
  await tickersOf(1);
  expect(counts.built).toBe(2);
  vi.advanceTimersByTime(300);
  await tickersOf(1);
  expect(counts.built).toBe(3);
});

test('builds only shown views and reads the counters of a long list in few statements', async () => {
  const { counts, tickersOf } = countedBoard(() => ({
    yes: { book: null, bookAgeMs: null },
    no: { book: null, bookAgeMs: null },
  }));
  expect(await tickersOf(3)).toEqual(tickers.slice(0, 3));
  expect(counts).toEqual({ built: 3, read: 1 });
  expect(await tickersOf(60)).toEqual(tickers);
  // Sixteen, thirty-two, and the rest.
  expect(counts).toEqual({ built: 60, read: 4 });
});

test('depth is the sum of both books', () => {
  const [first] = directory.sorted();
  if (first === undefined) throw new Error('no market');
  const { board } = countedBoard(booksOfFirst);
  const { board: empty } = countedBoard(() => ({
    yes: { book: null, bookAgeMs: null },
    no: { book: null, bookAgeMs: null },
  }));
  expect(board.depthOf(first) > empty.depthOf(first)).toBe(true);
});

test.each([0, 7, 59])(
  'the figures of market %d of 60 cannot be computed: the others are listed, it is reported once',
  async (index) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const poison = directory.sorted()[index];
    const { reported, tickersOf } = countedBoard(booksOfFirst, (ticker) => ticker === poison?.ticker);
    for (let round = 0; round < 3; round += 1) {
      expect(await tickersOf(60)).toEqual(tickers.filter((ticker) => ticker !== poison?.ticker));
      vi.advanceTimersByTime(2_000);
    }
    expect(reported).toEqual([poison?.id]);
  },
);
