import { afterEach, expect, test } from 'vitest';
import { wireBookOf } from '../../testing/books.ts';
import { type LocalServer, startLocalServer, until } from '../../testing/localServers.ts';
import type { MarketMessage } from '../schema/marketMessage.ts';
import { MarketSocket } from './marketSocket.ts';
import { UserSocket } from './userSocket.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) {
    await end();
  }
});

const fast = { pingIntervalMs: 50, silenceMs: 60_000, minBackoffMs: 5, maxBackoffMs: 20 };

const start = async () => {
  const server = await startLocalServer({});
  endings.push(() => server.close());
  const log = { messages: [] as MarketMessage[], unreadableCount: 0, subscribedCount: 0 };
  const socket = new MarketSocket({
    url: `${server.wsUrl}/ws/market`,
    timing: fast,
    onMessage: (message) => log.messages.push(message),
    onUnreadable: () => {
      log.unreadableCount += 1;
    },
    onSubscribed: () => {
      log.subscribedCount += 1;
    },
  });
  endings.push(() => socket.close());
  return { server, socket, seen: log };
};

const subscriptions = (server: LocalServer) =>
  server.frames
    .filter((frame) => frame !== 'PING')
    .map((frame) => JSON.parse(frame) as { assets_ids: string[]; type: string; operation: string });

const broadcast = (server: LocalServer, text: string) => {
  for (const socket of server.sockets) {
    socket.send(text);
  }
};

test('tokens added before and after the connection opened are each subscribed once', async () => {
  const { server, socket, seen } = await start();
  socket.subscribe(['1', '2']);
  await until(() => seen.subscribedCount === 1);
  socket.subscribe(['2', '3']);
  socket.subscribe(['3']);
  await until(() => subscriptions(server).length === 2);
  expect(subscriptions(server)).toEqual([
    { assets_ids: ['1', '2'], custom_feature_enabled: true, type: 'market' },
    { assets_ids: ['3'], custom_feature_enabled: true, operation: 'subscribe' },
  ]);
});

test('after a disconnect all current tokens are subscribed again', async () => {
  const { server, socket, seen } = await start();
  socket.subscribe(['1', '2', '3']);
  await until(() => subscriptions(server).length === 1);
  socket.unsubscribe(['2', 'unknown']);
  await until(() => subscriptions(server).length === 2);
  expect(subscriptions(server)[1]).toEqual({ assets_ids: ['2'], operation: 'unsubscribe' });
  for (const open of server.sockets) {
    open.terminate();
  }
  await until(() => subscriptions(server).length === 3);
  expect(subscriptions(server)[2]?.assets_ids).toEqual(['1', '3']);
  expect(seen.subscribedCount).toBe(2);
});

test('many tokens are spread over frames, and over connections of at most 400', async () => {
  const { server, socket } = await start();
  const tokenIds = Array.from({ length: 1_000 }, (_, index) => String(index));
  socket.subscribe(tokenIds);
  await until(() => subscriptions(server).length === 5);
  expect(new Set(subscriptions(server).flatMap((frame) => frame.assets_ids))).toEqual(new Set(tokenIds));
  expect(server.sockets.size).toBe(3);
  expect(subscriptions(server).filter(({ type }) => type === 'market')).toHaveLength(3);
  // Capacity that became free is used before another connection is opened.
  socket.unsubscribe(['0', '1']);
  socket.subscribe(['1000', '1001']);
  await until(() => subscriptions(server).length === 7);
  expect(server.sockets.size).toBe(3);
});

test('messages come one by one or in lists; unknown types pass in silence', async () => {
  const { server, seen } = await start();
  await until(() => server.sockets.size === 1);
  const book = { event_type: 'book', ...wireBookOf() };
  broadcast(server, JSON.stringify(book));
  broadcast(server, JSON.stringify([book, { event_type: 'something_new' }, book]));
  broadcast(server, '[]');
  await until(() => seen.messages.length === 3);
  expect(seen.messages[0]).toMatchObject({ kind: 'book', snapshot: { tokenId: '1', isHashValid: true } });
  expect(seen.unreadableCount).toBe(0);
});

test.each([
  ['no JSON', '{"event_type":'],
  ['a bare number', '7'],
  ['no event type', '{"market":"0x1"}'],
  [
    'a price that is no number',
    JSON.stringify({ event_type: 'book', ...wireBookOf(), bids: [{ price: 'x', size: '1' }] }),
  ],
  [
    'a price outside the book',
    JSON.stringify({ event_type: 'book', ...wireBookOf(), asks: [{ price: '1', size: '1' }] }),
  ],
  ['a missing side', JSON.stringify({ event_type: 'book', ...wireBookOf(), asks: undefined })],
  [
    'an unknown order side',
    '{"event_type":"price_change","market":"0x1","timestamp":"1","price_changes":[{"asset_id":"1","price":"0.5","size":"1","side":"HOLD"}]}',
  ],
  [
    'one bad change among good ones',
    '{"event_type":"price_change","market":"0x1","timestamp":"1","price_changes":[{"asset_id":"1","price":"0.5","size":"1","side":"BUY"},{"asset_id":"1","price":"0.5","size":"-1","side":"BUY"}]}',
  ],
  [
    'a time that is no time',
    '{"event_type":"last_trade_price","market":"0x1","timestamp":"soon","asset_id":"1","price":"0.5"}',
  ],
])('an unreadable frame is reported and nothing of it emitted: %s', async (_name, text) => {
  const { server, seen } = await start();
  await until(() => server.sockets.size === 1);
  broadcast(server, text);
  await until(() => seen.unreadableCount === 1);
  expect(seen.messages).toEqual([]);
});

test('one bad message in a list does not lose the good ones', async () => {
  const { server, seen } = await start();
  await until(() => server.sockets.size === 1);
  broadcast(server, JSON.stringify([{ event_type: 'book' }, { event_type: 'book', ...wireBookOf() }]));
  await until(() => seen.messages.length === 1);
  expect(seen.unreadableCount).toBe(1);
});

test('the user socket subscribes with its owner, emits orders and trades, and does so again after a drop', async () => {
  const server = await startLocalServer({});
  endings.push(() => server.close());
  const log = { kinds: [] as string[], unreadableCount: 0, subscribedCount: 0 };
  const socket = new UserSocket({
    url: `${server.wsUrl}/ws/user`,
    auth: { apiKey: 'keeper', secret: 's', passphrase: 'p' },
    timing: fast,
    onMessage: ({ kind }) => log.kinds.push(kind),
    onUnreadable: () => {
      log.unreadableCount += 1;
    },
    onSubscribed: () => {
      log.subscribedCount += 1;
    },
  });
  endings.push(() => socket.close());
  await until(() => server.frames.length >= 1);
  expect(JSON.parse(server.frames[0] ?? '')).toEqual({
    auth: { apiKey: 'keeper', secret: 's', passphrase: 'p' },
    type: 'user',
  });
  const order = {
    event_type: 'order',
    id: '0x01',
    market: '0xC0',
    asset_id: '1',
    side: 'BUY',
    status: 'LIVE',
    price: '0.5',
    original_size: '5',
    size_matched: '0',
  };
  broadcast(server, JSON.stringify([order, { ...order, status: 'no such status' }, { event_type: 'balance' }]));
  await until(() => log.kinds.length === 1 && log.unreadableCount === 1);
  for (const open of server.sockets) {
    open.terminate();
  }
  await until(() => log.subscribedCount === 2);
  expect(log.kinds).toEqual(['order']);
});
