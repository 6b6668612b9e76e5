import { raw } from '@core/pricing';
import { afterEach, expect, test } from 'vitest';
import { type LocalServer, type Reply, startLocalServer } from '../../testing/localServers.ts';
import { HttpPriceHistory } from './httpPriceHistory.ts';

let server: LocalServer;
afterEach(() => server.close());

const day = { interval: '1d', fidelityMinutes: 5 } as const;

async function historyOn(reply: Reply): Promise<HttpPriceHistory> {
  server = await startLocalServer({ reply: () => reply });
  return new HttpPriceHistory({ url: server.url, retry: { maxAttempts: 1 } });
}

test('pastPrices: numbers and texts in any order → prices rounded down to a pip, oldest first', async () => {
  const history = [
    { t: 1_700_000_060, p: 0.52345 },
    { t: '1700000000', p: '0.5' },
    { t: 1_700_000_120, p: 1.2 },
  ];
  const prices = await historyOn({ json: { history } });
  const points = (await prices.pastPrices('7', day)).map(({ atMs, pricePips }) => [atMs, raw(pricePips)]);
  expect(points).toEqual([
    [1_700_000_000_000, 5_000n],
    [1_700_000_060_000, 5_234n],
  ]);
});

test('pastPrices: the request has token, interval and fidelity', async () => {
  const prices = await historyOn({ json: { history: [] } });
  expect(await prices.pastPrices('7', day)).toEqual([]);
  expect(server.requests.map(({ url }) => url)).toEqual(['/prices-history?market=7&interval=1d&fidelity=5']);
});

test('pastPrices: a token without a book has no history', async () => {
  const prices = await historyOn({ status: 404, json: { error: 'No orderbook exists for the requested token id' } });
  expect(await prices.pastPrices('7', day)).toEqual([]);
});

test.each([null, 7, 'text', {}, { t: 'soon', p: '0.5' }, { t: 1_700_000_060 }, { t: 1_700_000_060, p: [] }])(
  'pastPrices: %j among the points → the other points',
  async (poison) => {
    const history = [{ t: 1_700_000_000, p: '0.5' }, poison, { t: 1_700_000_120, p: '0.6' }];
    const prices = await historyOn({ json: { history } });
    expect((await prices.pastPrices('7', day)).map(({ pricePips }) => raw(pricePips))).toEqual([5_000n, 6_000n]);
  },
);

test('pastPrices: another shape of answer is a malformed-answer fault', async () => {
  const prices = await historyOn({ json: { prices: [] } });
  await expect(prices.pastPrices('7', day)).rejects.toMatchObject({ origin: 'venue', code: 'venue_answer_malformed' });
});
