import { Fault } from '@core/errors';
import { marketStatistics, orderBook, priceHistory } from '@core/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf, fieldOf, startTestApi, type TestAnswer, type TestApi, wallets } from '../../testing/startTestApi.ts';

const silence = new Fault({ origin: 'venue', kind: 'retryable', message: 'no response' });
let api: TestApi;
let alice: string;

beforeEach(async () => {
  api = await startTestApi();
  alice = await api.userOf(wallets.alice);
});
afterEach(() => api.close());

const get = (path: string): Promise<TestAnswer> => api.call(path, { authorization: alice });

test('price history: points of the venue, oldest first, one read for several callers', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => get('/markets/btc-up/price-history?range=1h')));
  const history = priceHistory.parse(answers[0]?.body);
  expect(history.range).toBe('1h');
  expect(history.data.map(({ yes_price_usd: price }) => price)).toEqual(['0.79', '0.795', '0.7975', '0.80']);
  expect(history.data.at(-1)?.at).toBe(new Date(api.clock.nowMs()).toISOString());
  expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 3 }, () => answers[0]?.text));
  expect(api.pastPrices.readCount).toBe(1);
  expect(fieldOf((await get('/markets/btc-up/price-history')).body, 'range')).toBe('1d');
});

test('price history: the venue does not respond → 503 with Retry-After', async () => {
  api.pastPrices.fault = silence;
  const answer = await get('/markets/btc-up/price-history');
  expect([answer.status, codeOf(answer)]).toEqual([503, 'internal_server_error']);
  expect(answer.headers.get('retry-after')).not.toBeNull();
});

test('market data: an unknown market is not found, an unknown range is refused', async () => {
  for (const path of ['/markets/none/price-history', '/markets/none/order-book'])
    expect(codeOf(await get(path))).toBe('customer_market_not_found');
  expect(codeOf(await get('/markets/btc-up/price-history?range=1y'))).toBe('invalid_request');
});

test('order book: the levels of both tokens with the time of the last message', async () => {
  const { yes, no } = orderBook.parse((await get('/markets/btc-up/order-book')).body);
  expect(yes?.trades).toMatchObject([{ price_usd: '0.80', taker_side: 'sell', at: yes?.last_trade?.at }]);
  expect(String(yes?.trades[0]?.token_units)).toBe('125000000');
  const book = api.live.book((await api.store.markets.byTicker('btc-up'))?.yesTokenId ?? '');
  expect(yes?.asks[0]?.price_usd_pips).toBe(book?.asks[0]?.pricePips);
  expect(yes?.bids[0]?.token_units).toBe(book?.bids[0]?.sizeTokenUnits);
  expect([yes?.updated_at, no?.updated_at]).toEqual(
    Array.from({ length: 2 }, () => new Date(book?.receivedAtMs ?? 0).toISOString()),
  );
});

test('statistics: volume and price change of known markets, without a change while the venue does not respond', async () => {
  const read = async () => {
    const { body } = await get('/market-statistics?tickers=btc-up,none,btc-up');
    return marketStatistics.array().parse(fieldOf(body, 'data'));
  };
  api.pastPrices.fault = silence;
  const [silent, ...others] = await read();
  expect([silent?.market_ticker, silent?.yes_price_change24h_usd, others]).toEqual(['btc-up', null, []]);
  api.pastPrices.fault = null;
  const [statistics] = await read();
  expect([statistics?.volume24h_usd, statistics?.yes_price_change24h_usd]).toEqual(['50000.00', '0.01']);
  expect(statistics?.yes_price_samples24h_usd_pips.map(String)).toEqual(['7900', '7950', '7975', '8000']);
});

test('statistics: more than 50 tickers are refused', async () => {
  const tickers = Array.from({ length: 51 }, (_, index) => `t-${index}`).join(',');
  const answer = await get(`/market-statistics?tickers=${tickers}`);
  expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
});
