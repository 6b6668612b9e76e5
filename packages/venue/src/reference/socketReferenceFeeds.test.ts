import { fixedClock } from '@core/runtime/testing';
import { afterEach, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { type LocalServer, startLocalServer, until } from '../../testing/localServers.ts';
import { SocketReferenceFeeds } from './socketReferenceFeeds.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

const nowMs = 1_800_000_000_000;

async function start() {
  const names = ['liveData', 'sports', 'coinbase', 'kraken'] as const;
  const servers = await Promise.all(names.map(() => startLocalServer({})));
  const [liveData, sports, coinbase, kraken] = servers as [LocalServer, LocalServer, LocalServer, LocalServer];
  endings.push(...servers.map((server) => () => server.close()));
  const feeds = new SocketReferenceFeeds({
    sockets: { liveData: liveData.wsUrl, sports: sports.wsUrl, coinbase: coinbase.wsUrl, kraken: kraken.wsUrl },
    assets: ['BTC', 'XRP'],
    clock: fixedClock(nowMs),
    timing: { minBackoffMs: 5, maxBackoffMs: 20 },
  });
  endings.push(() => feeds.close());
  await until(() => servers.every((server) => server.sockets.size === 1));
  const send = (server: LocalServer, message: unknown): void => {
    for (const socket of server.sockets as Set<WebSocket>) {
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    }
  };
  return { feeds, liveData, sports, coinbase, kraken, send };
}

const update = (topic: string, symbol: string, { value, ...more }: { readonly value: unknown }) => ({
  topic,
  type: 'update',
  timestamp: nowMs,
  connection_id: 'c1',
  payload: { symbol, timestamp: nowMs - 800, value, ...more },
});

const priceOf = (value: number, full: string) => ({ value, full_accuracy_value: full });

test('live data: prices of both topics are distinguished by their symbols, and an exchange confirms them', async () => {
  const { feeds, liveData, coinbase, send } = await start();
  await until(() => liveData.frames.length > 0);
  expect(JSON.parse(liveData.frames[0] ?? '')).toEqual({
    action: 'subscribe',
    subscriptions: [
      { topic: 'crypto_prices', type: 'update' },
      { topic: 'crypto_prices_chainlink', type: 'update' },
    ],
  });
  send(coinbase, {
    type: 'ticker',
    sequence: 1,
    product_id: 'BTC-USD',
    price: '97012.5',
    best_bid: '97012.4',
    best_ask: '97012.6',
    time: new Date(nowMs - 100).toISOString(),
  });
  send(liveData, update('crypto_prices', 'btcusdt', priceOf(97_000.25, '97000.25000000')));
  // The oracle's price under the other name.
  send(liveData, update('crypto_prices', 'btc/usd', priceOf(97_010, '97010123456789012345678')));
  await until(() => feeds.spotOf('BTC', 'averaged_ends') !== null && feeds.spotOf('BTC') !== null);
  expect(feeds.spotOf('BTC', 'noon_candle')).toEqual({ asset: 'BTC', priceUsd: '97000.25', atMs: nowMs - 800 });
  expect(feeds.spotOf('BTC', 'averaged_ends')?.priceUsd).toBe('97010.123456789012345678');
  expect([...feeds.assets()]).toEqual(['BTC']);
});

test('live data: backfills, averages, other topics and rubbish → no price', async () => {
  const { feeds, liveData, kraken, send } = await start();
  const ticker = { channel: 'ticker', type: 'snapshot', data: [{ symbol: 'XRP/USD', bid: 1.42, ask: 1.44, last: 9 }] };
  send(kraken, ticker);
  const data = [{ timestamp: nowMs, value: 1.43 }];
  send(liveData, { topic: 'crypto_prices', type: 'subscribe', timestamp: nowMs, payload: { symbol: 'xrp/usd', data } });
  send(liveData, update('crypto_prices_twap_sixty', 'xrp/usd', { value: 1.43 }));
  send(liveData, update('equity_prices', 'aapl', { value: 200 }));
  send(liveData, update('crypto_prices', 'xrpusdt', { value: null }));
  for (const text of ['', 'null', '[]', '{"topic":', '{"type":"update"}']) send(liveData, text);
  send(liveData, update('crypto_prices', 'xrpusdt', { value: '1.431' }));
  await until(() => feeds.spotOf('XRP') !== null);
  // The last trade at Kraken was outside of its book.
  expect(feeds.spotOf('XRP')?.priceUsd).toBe('1.431');
  expect(feeds.spotOf('XRP', 'averaged_ends')).toBeNull();
});

test('exchanges: each is asked for its assets, and a lost connection is opened and asked again', async () => {
  const { coinbase, kraken } = await start();
  await until(() => coinbase.frames.length === 1 && kraken.frames.length === 1);
  expect(JSON.parse(coinbase.frames[0] ?? '')).toEqual({
    type: 'subscribe',
    product_ids: ['BTC-USD', 'XRP-USD'],
    channels: ['ticker', 'heartbeat'],
  });
  expect(JSON.parse(kraken.frames[0] ?? '')).toEqual({
    method: 'subscribe',
    params: { channel: 'ticker', symbol: ['BTC/USD', 'XRP/USD'] },
  });
  for (const socket of coinbase.sockets) socket.terminate();
  await until(() => coinbase.frames.length === 2);
});

test('sports: a game is found by league and id, its end is kept, and text pings are answered', async () => {
  const { feeds, sports, send } = await start();
  send(sports, 'ping');
  await until(() => sports.frames.includes('pong'));
  const game = { leagueAbbreviation: 'NBA', gameId: 77, score: '88-90', period: 'Q3', live: true, ended: false };
  send(sports, { ...game, elapsed: '05:12', status: 'InProgress' });
  await until(() => feeds.gameOf('nba-bos-lal-2026-11-26', '77') !== null);
  expect(feeds.gameOf('nba-bos-lal-2026-11-26', '77')).toMatchObject({
    elapsedSeconds: null,
    score: '88-90',
    isLive: true,
    isEnded: false,
    observedAtMs: nowMs,
  });
  expect([feeds.gameOf('nfl-a-b', '77'), feeds.gameOf('nba-bos-lal-2026-11-26', null)]).toEqual([null, null]);
  send(sports, { ...game, live: false, ended: true, finishedTimestamp: '2026-11-26T01:00:00Z' });
  send(sports, game);
  send(sports, {
    leagueAbbreviation: 'IPL',
    metadataGameId: 'x9',
    score: null,
    period: null,
    live: true,
    ended: false,
  });
  await until(() => feeds.gameOf('ipl-a-b', 'x9') !== null);
  expect(feeds.gameOf('nba-bos-lal-2026-11-26', '77')).toMatchObject({ isLive: false, isEnded: true });
});

test('prices of assets that are not asked for are not stored', async () => {
  const { feeds, liveData, coinbase, send } = await start();
  const ticker = {
    type: 'ticker',
    sequence: 1,
    best_bid: '1',
    best_ask: '3',
    time: new Date(nowMs - 100).toISOString(),
  };
  for (const asset of ['ETH', 'DOGE', 'BTC']) {
    send(coinbase, { ...ticker, product_id: `${asset}-USD`, price: '2' });
    send(liveData, update('crypto_prices', `${asset.toLowerCase()}usdt`, priceOf(2, '2.00000000')));
  }
  await until(() => feeds.spotOf('BTC') !== null);
  expect([...feeds.assets()]).toEqual(['BTC']);
  expect([feeds.spotOf('ETH'), feeds.spotOf('DOGE')]).toEqual([null, null]);
});
