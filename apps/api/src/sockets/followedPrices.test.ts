import type { MarketRecord } from '@core/market';
import { policyDefaults } from '@core/policy';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { deepBook } from '../../testing/fakeLiveMarkets.ts';
import { writePosition, writtenPosition } from '../../testing/positionWriter.ts';
import { type ReceivedFrame, SocketClient } from '../../testing/socketClient.ts';
import { fieldOf, startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';
import { MarketDirectory } from '../markets/marketDirectory.ts';
import type { Connection } from './connection.ts';
import { FollowedPrices } from './followedPrices.ts';

let api: TestApi;
let alice: string;
const clients: SocketClient[] = [];

beforeAll(async () => {
  api = await startTestApi();
  alice = await api.userOf(wallets.alice);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.end();
});
afterAll(() => api.close());

async function connected(path: 'markets' | 'customer-positions'): Promise<SocketClient> {
  const origin = api.api.origin.replace('http', 'ws');
  const client = new SocketClient(`${origin}/v1/ws/prediction-markets/${path}`, { headers: { Authorization: alice } });
  clients.push(client);
  await client.frame('connected');
  return client;
}

const follow = (client: SocketClient, tickers: readonly string[]): void =>
  client.socket.send(JSON.stringify({ action: 'follow_prices', tickers }));

interface Entry {
  readonly ticker: string;
  readonly prices: Readonly<Record<string, string | null>> | null;
  readonly yes_mark_price_usd_pips: string | null;
}
const entriesOf = (frame: ReceivedFrame): readonly Entry[] => frame['markets'] as readonly Entry[];
const allEntries = ({ frames }: SocketClient): readonly Entry[] =>
  frames.filter(({ frame }) => frame === 'prices').flatMap(entriesOf);

test('prices: a followed market → its prices at once, a changed book → its new prices, no other market', async () => {
  const client = await connected('markets');
  follow(client, ['btc-up', 'unknown']);
  const first = entriesOf(await client.frame('prices'));
  expect(first.map(({ ticker }) => ticker)).toEqual(['btc-up']);
  expect(first[0]).toMatchObject({ yes_mark_price_usd_pips: '8000', prices: { yes_bid_price_usd_pips: '7950' } });
  api.live.setBook('eth-up', 'yes', deepBook(3_000n));
  api.live.setBook('btc-up', 'yes', deepBook(6_000n));
  const moved = await client.until((of) => allEntries(of).find((entry) => entry.yes_mark_price_usd_pips === '6000'));
  expect(moved.prices).toMatchObject({ yes_ask_price_usd_pips: '6050', yes_bid_price_usd_pips: '5950' });
  expect(new Set(allEntries(client).map(({ ticker }) => ticker))).toEqual(new Set(['btc-up']));
});

test('prices: another list → replaces the markets followed before', async () => {
  const client = await connected('markets');
  follow(client, ['btc-up']);
  await client.frame('prices');
  follow(client, ['eth-up']);
  await client.until((of) => allEntries(of).find(({ ticker }) => ticker === 'eth-up'));
  const before = allEntries(client).length;
  api.live.setBook('btc-up', 'yes', deepBook(5_500n));
  api.live.setBook('eth-up', 'yes', deepBook(4_500n));
  await client.until((of) => allEntries(of).find((entry) => entry.yes_mark_price_usd_pips === '4500'));
  expect(
    allEntries(client)
      .slice(before)
      .map(({ ticker }) => ticker),
  ).not.toContain('btc-up');
});

test('prices: a book that is too old → sent again without prices, with the last mark', async () => {
  const client = await connected('markets');
  follow(client, ['btc-up']);
  await client.frame('prices');
  api.live.bookAgeMs = 3_600_000;
  const old = await client.until((of) => allEntries(of).find(({ prices }) => prices === null));
  expect(old.yes_mark_price_usd_pips).not.toBeNull();
  api.live.bookAgeMs = 100;
});

/** A connection that records the tickers of the prices it is sent. */
function follower() {
  const tickers: string[] = [];
  const sendFrame = (frame: { readonly markets?: readonly { readonly ticker: string }[] }): void => {
    tickers.push(...(frame.markets ?? []).map(({ ticker }) => ticker));
  };
  return { tickers, connection: { sendFrame } as object as Connection };
}

test.each(['observe', 'booksOf'] as const)(
  'prices: %s of one market throws → followers get the others each time, and it is reported once',
  async (method) => {
    const { store, live, clock } = api;
    const directory = new MarketDirectory({ store, live, clock, onPoison: () => undefined });
    await directory.refresh();
    const [poison, ...healthy] = directory.sorted();
    const reported: string[] = [];
    const check = (name: 'observe' | 'booksOf', { ticker }: MarketRecord): void => {
      if (name === method && ticker === poison?.ticker) throw new Error('poison');
    };
    const prices = new FollowedPrices({
      markets: {
        recordOf: (ticker) => directory.recordOf(ticker),
        observe: (record) => {
          check('observe', record);
          return directory.observe(record);
        },
        booksOf: (record) => {
          check('booksOf', record);
          return directory.booksOf(record);
        },
      },
      clock,
      config: policyDefaults,
      onPoison: ({ id }) => reported.push(id),
    });
    const followers = [follower(), follower()];
    const tickers = directory.sorted().map(({ ticker }) => ticker);
    for (const { connection } of followers) prices.follow(connection, tickers);
    for (let round = 0; round < 3; round += 1) await prices.send(round * 10_000);
    const listed = Array.from({ length: 3 }, () => healthy.map(({ ticker }) => ticker)).flat();
    expect(followers.map((one) => one.tickers)).toEqual([listed, listed]);
    expect(reported).toEqual([poison?.id]);
  },
);

test('prices: asked for on the gateway of positions, or for too many markets → an error, nothing followed', async () => {
  const positions = await connected('customer-positions');
  follow(positions, ['btc-up']);
  expect(await positions.frame('error')).toMatchObject({ code: 'invalid_request' });
  const markets = await connected('markets');
  follow(
    markets,
    Array.from({ length: 501 }, (_, index) => `market-${index}`),
  );
  expect(await markets.frame('error')).toMatchObject({ code: 'invalid_request' });
});

test('prices: the mark of a frame → the mark that the position of that market is valued at', async () => {
  const market = await api.store.markets.byTicker('btc-up');
  if (market === null) throw new Error('the market is listed');
  const owner = { partnerId: api.partners[0]?.record.id ?? '', walletAddress: wallets.alice };
  const position = writtenPosition({ number: 1, ...owner, market, status: 'open' });
  await writePosition(api.store, position, 'position.opened');
  const client = await connected('markets');
  // The middle of a wide book: neither its bid nor its ask.
  api.live.setBook('btc-up', 'yes', { bids: deepBook(6_000n).bids, asks: deepBook(7_000n).asks });
  follow(client, ['btc-up']);
  const { yes_mark_price_usd_pips: mark } = entriesOf(await client.frame('prices'))[0] ?? {};
  const answer = await api.call(`/positions/${position.id}?expand=basis`, { authorization: alice });
  expect(fieldOf(answer.body, 'current', 'mark_price_usd_pips')).toBe(mark);
  expect(fieldOf(answer.body, 'basis', 'principal_usdc_units')).toMatch(/^\d+$/);
});
