import { errorEnvelopeSchema } from '@core/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, send, startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';

let api: TestApi;
let alice: string;
const body = {
  market_ticker: 'btc-up',
  effective_side: 'yes',
  leverage_bps: 30_000,
  notional_amount_usd_pips: '1000000',
  slippage_bps: 300,
};

beforeAll(async () => {
  api = await startTestApi();
  alice = await api.userOf(wallets.alice);
});
afterAll(() => api.close());

describe('addresses that are no route', () => {
  test.each([
    ['GET', '/nothing'],
    ['DELETE', '/quotes'],
    ['GET', '/quotes'],
    ['PUT', '/markets'],
    ['PATCH', '/tokens'],
    ['OPTIONS', '/quotes'],
    ['GET', '/markets/%zz'],
    ['GET', '/QUOTES'],
    ['GET', ''],
  ])('%s %s is not found', async (method, path) => {
    const answer = await api.call(path, { method, authorization: alice });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
    expect(errorEnvelopeSchema.safeParse(answer.body).success).toBe(true);
  });

  test('outside the interface too, without rate headers', async () => {
    const answer = await send(`${api.api.origin}/other`, {});
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });
});

describe('bodies', () => {
  test.each([
    ['not JSON', '{'],
    ['an array', '[]'],
    ['text', '"text"'],
    ['null', 'null'],
    ['nothing', ''],
    ['too large', JSON.stringify({ ...body, market_ticker: 'x'.repeat(70_000) })],
    ['a polluted prototype', `{"__proto__":{"leverage_bps":20000},"market_ticker":"btc-up"}`],
    ['deeply nested', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ])('%s is an invalid request', async (_what, text) => {
    const answer = await api.call('/quotes', { method: 'POST', authorization: alice, body: text });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
  });

  test('a compressed body is refused', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const answer = await api.call('/quotes', { authorization: alice, body, headers });
    expect(codeOf(answer)).toBe('invalid_request');
  });
});

describe('pages outside the interface', () => {
  test('health and readiness', async () => {
    expect((await send(`${api.api.origin}/healthz`, {})).status).toBe(200);
    expect((await send(`${api.api.origin}/readyz`, {})).body).toEqual({ status: 'ready', missing: [] });
    const { reading } = api.pool;
    api.pool.reading = null;
    const waiting = await send(`${api.api.origin}/readyz`, {});
    expect([waiting.status, waiting.body]).toEqual([503, { status: 'waiting', missing: ['chain'] }]);
    api.pool.reading = reading;
  });

  test('every answer is hardened and says nothing of its maker', async () => {
    const answer = await api.call('/contract-info');
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('Idempotency-Key', () => {
  const post = (key: string, change: object = {}) =>
    api.call('/quotes', { authorization: alice, body: { ...body, ...change }, headers: { 'Idempotency-Key': key } });

  test('a repeat replays the first answer, byte for byte', async () => {
    const first = await post('key-1');
    const second = await post('key-1');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('the same key with another body is refused', async () => {
    await post('key-2');
    const answer = await post('key-2', { leverage_bps: 20_000 });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'idempotency_key_reused']);
  });

  test('of 20 at once one runs, and all that succeed tell the same', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('key-3')));
    const created = answers.filter(({ status }) => status === 201);
    const running = answers.filter(({ status }) => status === 409);
    expect(created.length + running.length).toBe(20);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect(running.every((answer) => codeOf(answer) === 'request_already_in_progress')).toBe(true);
  });

  test('a refusal keeps nothing: the key may be used again', async () => {
    expect((await post('key-4', { leverage_bps: 1 })).status).toBe(400);
    expect((await post('key-4')).status).toBe(201);
  });

  test('keys of two wallets do not meet', async () => {
    const first = await post('key-5');
    const headers = { 'Idempotency-Key': 'key-5' };
    const other = await api.call('/quotes', { authorization: await api.userOf(wallets.bob), body, headers });
    expect(other.status).toBe(201);
    expect(other.text).not.toBe(first.text);
  });

  test('tokens are never kept: a repeat issues a new one', async () => {
    const headers = { 'Idempotency-Key': 'key-6' };
    const create = () =>
      api.call('/tokens', { authorization: api.keyOf(), body: { wallet_address: wallets.bob }, headers });
    const first = await create();
    api.clock.advanceMs(1_000);
    const second = await create();
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).not.toBe(first.text);
  });

  test.each(['', 'x'.repeat(256)])('a key of the wrong length is an invalid request', async (key) => {
    expect(codeOf(await post(key))).toBe('invalid_request');
  });
});
