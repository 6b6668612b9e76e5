import { retryAfterMsOf } from '@core/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { snapshotOf, wireBookOf } from '../../testing/books.ts';
import { type LocalServer, type Reply, type SeenRequest, startLocalServer } from '../../testing/localServers.ts';
import type { CredentialsPort } from '../port/credentials.ts';
import { isVenueFault, type VenueFault } from '../port/venueFault.ts';
import type { SignedVenueOrder } from '../port/venueOrder.ts';
import { HttpVenueClient, type HttpVenueClientOptions } from './httpVenueClient.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) {
    await end();
  }
});

interface Setup {
  readonly server: LocalServer;
  readonly client: HttpVenueClient;
  /** Waits between attempts, as the client asked for them. */
  readonly waits: number[];
}

/**
 * A server that gives the replies one after the other, the last one for ever, and a client that does not really wait.
 */
const setup = async (
  replies: readonly Reply[] | ((request: SeenRequest) => Reply),
  options: Partial<HttpVenueClientOptions> = {},
): Promise<Setup> => {
  let next = 0;
  const server = await startLocalServer({
    reply: (request) => {
      if (typeof replies === 'function') {
        return replies(request);
      }
      const reply = replies[Math.min(next, replies.length - 1)];
      next += 1;
      return reply ?? 'reset';
    },
  });
  endings.push(() => server.close());
  const waits: number[] = [];
  const client = new HttpVenueClient({
    url: server.url,
    // Short only where the venue never answers: on a busy machine an answer takes its time.
    timeoutMs: Array.isArray(replies) && replies.includes('hang') ? 1_500 : 30_000,
    random: () => 0.5,
    sleep: async (waitMs) => {
      waits.push(waitMs);
    },
    ...options,
  });
  return { server, client, waits };
};

const faultOf = async (promise: Promise<unknown>): Promise<VenueFault> => {
  try {
    await promise;
  } catch (error) {
    if (isVenueFault(error)) {
      return error;
    }
    throw error;
  }
  throw new Error('no fault was thrown');
};

const atMs = 1_700_000_000_000;

const order: SignedVenueOrder = {
  salt: 2n ** 53n - 1n,
  maker: '0x00000000000000000000000000000000000000AA',
  signer: '0x00000000000000000000000000000000000000aa',
  tokenId: 72690798903588392269001731007662425920353908498880709179939493847828858696064n,
  makerAmount: 2_500_000n,
  takerAmount: 5_000_000n,
  side: 0,
  signatureType: 3,
  timestamp: 1_700_000_000_000n,
  metadata: `0x${'00'.repeat(32)}`,
  builder: `0x${'11'.repeat(32)}`,
  signature: '0x',
};
const place = { order, orderType: 'FOK', owner: 'keeper' } as const;
const placed = {
  success: true,
  errorMsg: '',
  orderID: '0xabc1',
  status: 'matched',
  makingAmount: '2.5',
  takingAmount: '5',
  tradeIDs: ['t1'],
};

describe('reads are repeated while the fault may pass', () => {
  test.each<[string, Reply, string]>([
    ['restart', { status: 425, text: 'Too Early' }, 'venue_restarting'],
    ['throttling', { status: 429, text: 'slow down' }, 'venue_throttled'],
    ['500', { status: 500, json: { error: 'oops' } }, 'venue_unavailable'],
    ['503', { status: 503, text: '<html>' }, 'venue_unavailable'],
    ['a cut line', 'reset', 'venue_unreachable'],
    ['no answer', 'hang', 'venue_timeout'],
    ['half a body', { text: '{"market":' }, 'venue_answer_malformed'],
    ['another shape', { json: { bids: 'none' } }, 'venue_answer_malformed'],
  ])('%s: twice, then the book', async (_name, fault, code) => {
    const { client, server, waits } = await setup([fault, fault, { json: wireBookOf({ atMs }) }]);
    await expect(client.book('1')).resolves.toMatchObject({
      ...snapshotOf({ atMs }),
      hash: wireBookOf({ atMs }).hash,
      isHashValid: true,
      lastTradePricePips: 4_100n,
      minOrderTokenUnits: 5_000_000n,
      isNegRisk: false,
    });
    expect(server.requests).toHaveLength(3);
    expect(waits).toEqual([75, 150]);
    const always = await setup([fault]);
    expect(await faultOf(always.client.book('1'))).toMatchObject({ code, kind: 'retryable' });
    expect(always.server.requests).toHaveLength(4);
  });

  test('Retry-After is honoured; one above the limit is thrown to the caller', async () => {
    const short = await setup([
      { status: 429, headers: { 'retry-after': '2' }, json: {} },
      { json: wireBookOf({ atMs }) },
    ]);
    await short.client.book('1');
    expect(short.waits).toEqual([2_000]);
    const long = await setup([{ status: 425, headers: { 'retry-after': '90' }, json: {} }]);
    expect(await faultOf(long.client.book('1'))).toMatchObject({ code: 'venue_restarting', retryAfterMs: 90_000 });
    expect(long.server.requests).toHaveLength(1);
  });

  test('Retry-After in every form', () => {
    expect(retryAfterMsOf(null, 0)).toBeNull();
    expect(retryAfterMsOf('1.5', 0)).toBe(1_500);
    expect(retryAfterMsOf('Thu, 01 Jan 1970 00:00:10 GMT', 4_000)).toBe(6_000);
    expect(retryAfterMsOf('Thu, 01 Jan 1970 00:00:10 GMT', 20_000)).toBe(0);
    expect(retryAfterMsOf('later', 0)).toBeNull();
    expect(retryAfterMsOf('86400000', 0)).toBe(86_400_000_000);
  });

  test('no server listening', async () => {
    const { client, server } = await setup([]);
    await server.close();
    endings.splice(0);
    expect(await faultOf(client.book('1'))).toMatchObject({ code: 'venue_unreachable', effect: 'no' });
  });

  test.each([400, 401, 403])('%i is not repeated', async (status) => {
    const { client, server } = await setup([{ status, json: {} }]);
    await faultOf(client.book('1'));
    expect(server.requests).toHaveLength(1);
  });
});

describe('books and prices', () => {
  test('an unknown token has no book', async () => {
    const { client } = await setup([
      { status: 404, json: { error: 'No orderbook exists for the requested token id' } },
    ]);
    await expect(client.book('9')).resolves.toBeNull();
  });

  test('a damaged book and another token’s book are refused', async () => {
    const damaged = { ...wireBookOf({ atMs }), bids: [{ price: '0.9', size: '1' }] };
    const { client } = await setup([{ json: damaged }]);
    expect(await faultOf(client.book('1'))).toMatchObject({ code: 'venue_answer_malformed' });
    const trusting = await setup([{ json: damaged }], { verifyBookHash: false });
    await expect(trusting.client.book('1')).resolves.toMatchObject({ isHashValid: false });
    const other = await setup([{ json: wireBookOf({ tokenId: '2', atMs }) }]);
    expect(await faultOf(other.client.book('1'))).toMatchObject({ code: 'venue_answer_malformed' });
  });

  test('the tick size is exact', async () => {
    const { client, server } = await setup([{ text: '{"minimum_tick_size":0.0025}' }]);
    await expect(client.tickSize('1')).resolves.toBe(25n);
    expect(server.requests.map(({ url }) => url)).toEqual(['/tick-size?token_id=1']);
  });
});

describe('catalogue', () => {
  const record = (slug: string) => ({ slug, version: 'v1', question: slug, outcomes: '["Yes","No"]', closed: false });

  test('pages by offset where the venue sends bare lists; what cannot be read is named', async () => {
    const all = [record('a'), record('b'), { slug: 'bad', version: 'v1', outcomes: '["A","B","C"]' }, record('d'), 7];
    const { client, server } = await setup(({ query }) => {
      const offset = Number(query.get('offset') ?? 0);
      return { json: all.slice(offset, offset + Number(query.get('limit'))) };
    });
    const first = await client.cataloguePage({ limit: 2, closed: false });
    expect(first.markets.map(({ ticker }) => ticker)).toEqual(['a', 'b']);
    const second = await client.cataloguePage({ limit: 2, closed: false, cursor: first.nextCursor ?? '' });
    expect(second.unreadable).toMatchObject([{ slug: 'bad', reason: 'has 3 outcomes' }]);
    const third = await client.cataloguePage({ limit: 2, closed: false, cursor: second.nextCursor ?? '' });
    expect(third).toMatchObject({ markets: [], unreadable: [{ slug: null }] });
    const fourth = await client.cataloguePage({ limit: 2, closed: false, cursor: third.nextCursor ?? '' });
    expect(fourth).toEqual({ markets: [], unreadable: [], nextCursor: null });
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/markets?limit=2&closed=false',
      '/markets?limit=2&closed=false&offset=2',
      '/markets?limit=2&closed=false&offset=4',
      '/markets?limit=2&closed=false&offset=5',
    ]);
  });

  test('pages by cursor where the venue sends one', async () => {
    const { client, server } = await setup([
      { json: { data: [record('a')], next_cursor: 'MQ==' } },
      { json: { data: [record('b')], next_cursor: 'LTE=' } },
    ]);
    const first = await client.cataloguePage({ limit: 1 });
    expect(first.nextCursor).toBe('MQ==');
    const second = await client.cataloguePage({ limit: 1, cursor: 'MQ==' });
    expect(second.nextCursor).toBeNull();
    expect(server.requests[1]?.query.get('cursor')).toBe('MQ==');
  });

  test('the largest holder’s share, rounded up', async () => {
    const { client } = await setup([
      {
        text: JSON.stringify([
          { token: '1', holders: [{ amount: 1 }, { amount: '2' }] },
          { token: '2', holders: [{ amount: 3 }], total_supply: '12' },
          { token: '3', holders: [], largest_share: '0.12345' },
          { token: '4', holders: [] },
        ]),
      },
    ]);
    await expect(client.topHolders('0xc0')).resolves.toEqual([
      { tokenId: '1', largestShareBps: 6_667n },
      { tokenId: '2', largestShareBps: 2_500n },
      { tokenId: '3', largestShareBps: 1_235n },
      { tokenId: '4', largestShareBps: null },
    ]);
    const bad = await setup([{ json: [{ token: '1', holders: [{ amount: '-1' }] }] }]);
    expect(await faultOf(bad.client.topHolders('0xc0'))).toMatchObject({ code: 'venue_answer_malformed' });
  });
});

describe('orders', () => {
  const signedBodies: string[] = [];
  const credentials: CredentialsPort = {
    credentials: async () => ({ apiKey: 'key of the account', secret: 'c2VjcmV0', passphrase: 'p' }),
    headersOf: async ({ method, path, body }) => {
      signedBodies.push(body);
      return { 'x-auth': `${method} ${path}` };
    },
    forget: () => undefined,
  };

  test('go out with every whole number as text and come back as what they were', async () => {
    const { client, server } = await setup([{ json: placed }], { credentials });
    await expect(client.placeOrder(place)).resolves.toEqual({
      orderId: '0xabc1',
      status: 'matched',
      makingUnits: 2_500_000n,
      takingUnits: 5_000_000n,
      tradeIds: ['t1'],
    });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/order', headers: { 'x-auth': 'POST /order' } });
    expect(request?.body).toEqual({
      order: {
        ...order,
        salt: 9_007_199_254_740_991,
        tokenId: '72690798903588392269001731007662425920353908498880709179939493847828858696064',
        makerAmount: '2500000',
        takerAmount: '5000000',
        side: 'BUY',
        timestamp: '1700000000000',
        expiration: '0',
      },
      owner: 'key of the account',
      orderType: 'FOK',
      deferExec: false,
    });
    // What is signed is the text that is sent.
    expect(signedBodies).toEqual([JSON.stringify(request?.body)]);
  });

  test('rest as post-only where asked, and are cancelled, again after a failure', async () => {
    const cancelled = { canceled: [], not_canceled: { '0xabc1': 'already matched' } };
    const replies: Reply[] = [{ json: placed }, { status: 500, text: '' }, { json: cancelled }];
    const { client, server } = await setup(replies, { credentials });
    await client.placeOrder({ ...place, orderType: 'GTC', isPostOnly: true });
    await expect(client.cancelOrder('0xabc1')).resolves.toBe(undefined);
    const [post, failed, cancel] = server.requests;
    expect(post?.body).toMatchObject({ orderType: 'GTC', postOnly: true });
    expect(failed?.body).toEqual({ orderID: '0xabc1' });
    expect(cancel).toMatchObject({
      method: 'DELETE',
      path: '/order',
      headers: { 'x-auth': 'DELETE /order' },
      body: { orderID: '0xabc1' },
    });
  });

  test.each<[string, Reply, string, string]>([
    [
      'refused under 200',
      { json: { success: false, errorMsg: 'not enough balance / allowance' } },
      'balance_too_low',
      'no',
    ],
    [
      'refused although success',
      { json: { ...placed, errorMsg: 'FOK_ORDER_NOT_FILLED_ERROR' } },
      'order_not_filled',
      'no',
    ],
    [
      'refused under 400',
      { status: 400, json: { error: 'order 0x1 is invalid. Duplicated.' } },
      'order_duplicated',
      'yes',
    ],
    ['refused without a text', { json: { success: false } }, 'venue_fault_unknown', 'maybe'],
    ['failed inside', { status: 500, json: {} }, 'venue_unavailable', 'maybe'],
    ['cut off', 'reset', 'venue_unreachable', 'maybe'],
    ['never answered', 'hang', 'venue_timeout', 'maybe'],
    ['answered without a hash', { json: { ...placed, orderID: '' } }, 'venue_answer_malformed', 'maybe'],
    ['answered with an unknown status', { json: { ...placed, status: 'pending' } }, 'venue_answer_malformed', 'maybe'],
    ['answered with no JSON', { text: 'ok' }, 'venue_answer_malformed', 'maybe'],
  ])('are sent once when %s', async (...[, reply, code, effect]) => {
    const { client, server } = await setup([reply]);
    expect(await faultOf(client.placeOrder(place))).toMatchObject({ code, effect });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Reply]>([
    ['restart', { status: 425, text: '' }],
    ['throttling', { status: 429, text: '' }],
    ['pause', { status: 503, json: { error: 'trading is currently cancel-only' } }],
    ['market not ready', { status: 400, json: { error: 'the market is not yet ready to process new orders' } }],
  ])('are sent again after a %s, which certainly took nothing', async (_name, reply) => {
    const { client, server } = await setup([reply, { json: placed }]);
    await expect(client.placeOrder(place)).resolves.toMatchObject({ orderId: '0xabc1' });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[0]?.body).toEqual(server.requests[1]?.body);
  });

  const wireOrder = {
    id: '0xabc1',
    market: '0xC0',
    asset_id: '1',
    side: 'BUY',
    status: 'MATCHED',
    price: '0.5',
    original_size: '5',
    size_matched: '5',
    associate_trades: ['t1', 't2'],
  };
  const wireTrade = (id: string) => ({
    id,
    taker_order_id: '0xabc1',
    market: '0xC0',
    asset_id: '1',
    side: 'BUY',
    size: '2.5',
    price: '0.5',
    status: 'TRADE_STATUS_MINED',
    match_time: '1700000000',
    last_update: '1700000001',
    transaction_hash: '0x12',
    maker_orders: [],
  });

  test('are polled by hash, with their trades', async () => {
    const { client, server } = await setup(({ path, query }) => {
      if (path === '/data/order/0xabc1') {
        return { json: wireOrder };
      }
      return path === '/data/trades'
        ? { json: { data: [wireTrade(query.get('id') ?? '')] } }
        : { status: 404, json: {} };
    });
    await expect(client.order('0xabc1')).resolves.toMatchObject({ status: 'matched', matchedTokenUnits: 5_000_000n });
    await expect(client.order('0xdead')).resolves.toBeNull();
    const trades = await client.trades({ orderId: '0xabc1' });
    expect(trades).toMatchObject([
      { tradeId: 't1', status: 'MINED', transactionHash: '0x12', matchedAtMs: 1_700_000_000_000 },
      { tradeId: 't2', conditionId: '0xc0' },
    ]);
    await expect(client.trades({ orderId: '0xdead' })).resolves.toEqual([]);
    expect(server.requests.map(({ url }) => url)).toContain('/data/trades?id=t2');
  });

  test('an unknown order may also be answered with null', async () => {
    const { client } = await setup([{ json: null }]);
    await expect(client.order('0x01')).resolves.toBeNull();
  });

  test.each([
    ['status', { ...wireOrder, status: 'DANCING' }],
    ['size', { ...wireOrder, size_matched: 'many' }],
  ])('a %s that cannot be read is a fault, never a guess', async (_name, wire) => {
    const { client } = await setup([{ json: wire }]);
    expect(await faultOf(client.order('0xabc1'))).toMatchObject({ code: 'venue_answer_malformed' });
  });
});

test('endpoints may live on three hosts', async () => {
  const { server } = await setup(() => ({ json: [] }));
  const client = new HttpVenueClient({
    url: `${server.url}/books`,
    catalogueUrl: `${server.url}/catalogue`,
    dataUrl: `${server.url}/data-host`,
    retry: { maxAttempts: 1 },
  });
  await client.cataloguePage({ limit: 1 });
  await client.topHolders('0xc0');
  await faultOf(client.book('1'));
  expect(server.requests.map(({ path }) => path)).toEqual(['/catalogue/markets', '/data-host/holders', '/books/book']);
});

test('every attempt is reported with its group of endpoints and its outcome', async () => {
  const ended: string[] = [];
  const onEnd: HttpVenueClientOptions['onEnd'] = ({ endpoint, outcome, durationMs }) => {
    expect(durationMs).toBeGreaterThan(0);
    ended.push(`${endpoint} ${outcome}`);
  };
  const { client } = await setup([{ status: 503, json: {} }, { json: [] }], { onEnd });
  await client.topHolders('0xc0');
  expect(ended).toEqual(['data venue_unavailable', 'data ok']);
});
