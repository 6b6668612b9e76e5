import { createTestDatabase, type TestDatabase } from '@core/store/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { quoteBody as body } from '../../testing/quoteBody.ts';
import { fieldOf, startTestApi, type TestApi, type TestRequest, wallets } from '../../testing/startTestApi.ts';

let api: TestApi;
// Held open so that the database server outlives the single tests.
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  api = await startTestApi({ limits: 'real' });
});
afterEach(() => api.close());

describe('buckets', () => {
  test('exactly 30 of many parallel requests without credential pass, bad credentials counted too', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        api.call('/contract-info', index % 2 === 0 ? {} : { authorization: 'Bearer nonsense' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    const refusal = answers.find(({ status }) => status === 429);
    expect(fieldOf(refusal?.body, 'error')).toMatchObject({ type: 'RATE_LIMIT_ERROR', code: 'too_many_requests' });
    expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refusal?.headers.get('x-ratelimit-limit')).toBe('30');
    expect(refusal?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(refusal?.headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(60);
  });

  test('X-Forwarded-For opens no new bucket', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        api.call('/contract-info', { headers: { 'X-Forwarded-For': `10.0.0.${index}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  });

  test('a wallet has 60, a partner 120, tokens their own 1800', async () => {
    const alice = await api.userOf(wallets.alice);
    expect((await api.call('/positions', { authorization: alice })).headers.get('x-ratelimit-limit')).toBe('60');
    expect((await api.call('/markets', { authorization: api.keyOf() })).headers.get('x-ratelimit-limit')).toBe('120');
    const created = await api.call('/tokens', { authorization: api.keyOf(), body: { wallet_address: wallets.bob } });
    expect(created.headers.get('x-ratelimit-limit')).toBe('1800');
  });

  test('one quote per second for quotes, drafts, promotions and aliases together', async () => {
    const alice = await api.userOf(wallets.alice);
    const paths = ['/quotes', '/offers', '/draft-quotes', '/draft-offers', '/promoted-quotes/dro_1'];
    const startMs = performance.now();
    const bodyOf = (path: string) => (path.startsWith('/promoted') ? {} : body);
    const answers = await Promise.all(
      paths.map((path) => api.call(path, { authorization: alice, body: bodyOf(path) })),
    );
    const allowedCount = answers.filter(({ status }) => status !== 429).length;
    // On a busy machine the five may take more than a second.
    expect(allowedCount).toBeLessThanOrEqual(1 + Math.floor((performance.now() - startMs) / 1_000));
    expect(allowedCount).toBeGreaterThan(0);
    expect(answers.find(({ status }) => status === 429)?.headers.get('x-ratelimit-limit')).toBe('1');
    // Another wallet of the partner has its own.
    const bob = await api.userOf(wallets.bob);
    expect((await api.call('/draft-quotes', { authorization: bob, body })).status).toBe(201);
  });

  test.each(['/quotes', '/offers', '/draft-quotes', '/draft-offers'])(
    '%s: what cannot be read is charged as a request, and as no creation',
    async (path) => {
      const alice = await api.userOf(wallets.alice);
      const unread: readonly TestRequest[] = [
        { body: { ...body, side: 'YES' } },
        { body: { ...body, leverage_bps: 'two' } },
        { body: { ticker: 1 } },
        { body: '{"market_ticker": ' },
        { body: '{"market_ticker": "a", "market_ticker": "b"}' },
        { method: 'POST' },
        { body: { ...body, market_ticker: 'x'.repeat(100_000) } },
        { body, headers: { 'Idempotency-Key': 'k'.repeat(256) } },
      ];
      const remaining: number[] = [];
      for (const wrong of unread) {
        const refusal = await api.call(path, { authorization: alice, ...wrong });
        expect([400, 413]).toContain(refusal.status);
        remaining.push(Number(refusal.headers.get('x-ratelimit-remaining')));
      }
      expect(remaining).toEqual([59, 58, 57, 56, 55, 54, 53, 52]);
      expect((await api.call(path, { authorization: alice, body })).status).toBe(201);
    },
  );

  test('a replay is not charged to the strict bucket', async () => {
    const alice = await api.userOf(wallets.alice);
    const headers = { 'Idempotency-Key': 'once' };
    const first = await api.call('/quotes', { authorization: alice, body, headers });
    const again = await api.call('/quotes', { authorization: alice, body, headers });
    expect([first.status, again.status]).toEqual([201, 201]);
  });
});

describe('behind a trusted proxy', () => {
  let proxied: TestApi;
  beforeAll(async () => {
    proxied = await startTestApi({ limits: 'real', config: { trustProxy: ['loopback'] } });
  });
  afterAll(() => proxied.close());

  const statusOf = async (path: string, forwardedFor: string): Promise<number> =>
    (await proxied.call(path, { headers: { 'X-Forwarded-For': forwardedFor } })).status;

  test('ports and spellings of one address open no new bucket', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 45 }, (_, index) => {
        const port = 41_000 + index;
        return statusOf('/contract-info', index % 2 === 0 ? `203.0.113.9:${port}` : `"[::FFFF:203.0.113.9]:${port}"`);
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(await statusOf('/contract-info', '203.0.113.10:41000')).toBe(200);
  });

  test('a request for a socket counts with the requests of its address, in any spelling', async () => {
    for (let index = 0; index < 30; index += 1) await statusOf('/contract-info', `2001:db8::${index}`);
    const url = proxied.api.url.replace('http', 'ws').replace('/v1/', '/v1/ws/');
    const refusalOf = (forwardedFor: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { 'X-Forwarded-For': forwardedFor };
        const socket = new WebSocket(`${url}/customer-positions`, { headers });
        socket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
        socket.once('error', reject);
      });
    expect(await refusalOf('[2001:DB8:0:0::ffff]:443')).toBe(429);
    expect(await refusalOf('2001:db8:0:1::1')).toBe(401);
  });

  test('text that is no address counts as the proxy, and opens no bucket', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 45 }, (_, index) => statusOf('/contract-info', `stranger-${index}`)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  });
});
