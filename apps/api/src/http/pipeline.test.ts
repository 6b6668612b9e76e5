import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { basePath, errorEnvelopeSchema } from '@core/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quoteBody as body } from '../../testing/quoteBody.ts';
import { codeOf, fieldOf, send, startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';

let api: TestApi;
let alice: string;

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
    ['POST', '/quotes/%'],
    ['GET', '/%c3%28'],
    ['GET', '/QUOTES'],
    ['GET', '/markets/'],
    ['GET', '/positions//transactions'],
    ['GET', ''],
  ])('%s %s is not found', async (method, path) => {
    const answer = await api.call(path, { method, authorization: alice });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
    // Also where the path cannot be decoded.
    expect(answer.headers.get('x-ratelimit-limit')).toBe('60');
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

test.each(['h2c', 'h2c, foo/2', 'TLS/1.0'])(
  'a request to switch to %s is ignored: the call itself is answered',
  async (upgrade) => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade, 'http2-settings': 'AAEAAEAA' };
    const statusOf = async (path: string, { method, text }: { readonly method: string; readonly text?: string }) => {
      const request = httpRequest(`${api.api.origin}${path}`, {
        method,
        headers: {
          ...headers,
          authorization: alice,
          ...(text !== undefined && { 'content-type': 'application/json' }),
        },
      });
      request.end(text);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const answer = await json(response);
      return [response.statusCode, fieldOf(answer, 'error', 'code')];
    };
    expect(await statusOf('/healthz', { method: 'GET' })).toEqual([200, undefined]);
    expect(await statusOf(`${basePath}/markets?limit=1`, { method: 'GET' })).toEqual([200, undefined]);
    const text = JSON.stringify({ ...body, surprise: 1 });
    expect(await statusOf(`${basePath}/quotes`, { method: 'POST', text })).toEqual([400, 'invalid_request']);
  },
);

describe('an error answer', () => {
  test.each([
    [
      { surprise: 1 },
      'surprise',
      'surprise: is not a field of this request, which takes market_ticker, effective_side',
    ],
    [{ leverage_bps: 30_001 }, 'leverage_bps', 'leverage_bps: must be a multiple of 2500'],
    [{ leverage_bps: 30_001 }, 'leverage_bps', ', not 30001: send 30000 or 32500'],
    [{ leverage_bps: '3' }, 'leverage_bps', 'leverage_bps: must be a number, not "3"'],
    [{ effective_side: 'maybe' }, 'effective_side', 'effective_side: must be yes or no, not "maybe"'],
    [{ market_ticker: undefined }, 'market_ticker', 'market_ticker: is missing. Send text.'],
    [{ slippage_bps: 5 }, 'slippage_bps', 'slippage_bps: must be from 100 to 1000, not 5'],
    [{ allow_revision: 'yes' }, 'allow_revision', 'allow_revision: must be true or false, not "yes"'],
    [{ notional_amount_usd_pips: 5 }, 'notional_amount_usd_pips', 'notional_amount_usd_pips: must be text, not 5'],
    [{ notional_amount_usd_pips: '1.5' }, 'notional_amount_usd_pips', 'must be a whole number without sign, not "1.5"'],
    [{ leverage_bps: 17_500 }, 'leverage_bps', 'The leverage is below'],
    [{ market_ticker: 'unknown' }, 'market_ticker', 'No market has this ticker.'],
    [{ allow_revision: 3, slippage_bps: 'x' }, 'slippage_bps', 'slippage_bps: '],
  ])('of %o names the field', async (change, param, message) => {
    const answer = await api.call('/quotes', { authorization: alice, body: { ...body, ...change } });
    expect(fieldOf(answer.body, 'error', 'param')).toBe(param);
    expect(fieldOf(answer.body, 'error', 'message')).toContain(message);
  });

  test('carries its request and a page about its code that is there', async () => {
    const answer = await api.call('/markets/unknown', { authorization: alice });
    expect(fieldOf(answer.body, 'error')).toMatchObject({
      code: 'customer_market_not_found',
      param: 'ticker',
      request_id: answer.headers.get('request-id'),
      doc_url: `${api.api.origin}/errors/customer_market_not_found`,
    });
  });

  test.each([
    ['/positions', 'Bearer realm="leveraged-prediction-markets"'],
    ['/partner-limits', 'Api-Key realm="leveraged-prediction-markets"'],
    ['/markets', 'Bearer realm="leveraged-prediction-markets", Api-Key realm="leveraged-prediction-markets"'],
  ])('of %s without a credential says in WWW-Authenticate what to send', async (path, challenge) => {
    const answer = await api.call(path);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge]);
  });

  test.each([
    ['/markets?limit=0', 'INVALID_REQUEST_ERROR', 400],
    ['/markets/unknown', 'INVALID_REQUEST_ERROR', 404],
    ['/partner-limits', 'AUTHENTICATION_ERROR', 401],
  ])('of %s has the type %s with status %s', async (path, type, status) => {
    const answer = await api.call(path, { authorization: alice });
    expect([answer.status, fieldOf(answer.body, 'error', 'type')]).toEqual([status, type]);
  });

  test('names a parameter of the query and a header too', async () => {
    const query = await api.call('/markets?limit=101', { authorization: alice });
    const header = await api.call('/quotes', { authorization: alice, body, headers: { 'Idempotency-Key': '' } });
    expect([query, header].map(({ body: sent }) => fieldOf(sent, 'error', 'param'))).toEqual([
      'limit',
      'Idempotency-Key',
    ]);
  });

  test.each([
    `{"leverage_bps":20000,"leverage_bps":30000}`,
    `{"leverage_bps":20000, "lev\\u0065rage_bps" : 30000}`,
    `{"slippage_bps":1,"leverage_bps":"x:y","leverage_bps":1}`,
  ])('a name given twice is refused, because readers disagree which counts: %s', async (text) => {
    const answer = await api.call('/quotes', { authorization: alice, body: text });
    expect([answer.status, fieldOf(answer.body, 'error', 'message')]).toEqual([
      400,
      'leverage_bps: must not be given twice',
    ]);
  });
});

describe('pages outside the interface', () => {
  test('health and readiness', async () => {
    expect((await send(`${api.api.origin}/healthz`, {})).status).toBe(200);
    expect((await send(`${api.api.origin}/readyz`, {})).body).toMatchObject({ status: 'ready', missing: [] });
    const { reading } = api.pool;
    api.pool.reading = null;
    const waiting = await send(`${api.api.origin}/readyz`, {});
    expect([waiting.status, waiting.body]).toMatchObject([503, { status: 'waiting', missing: ['chain'] }]);
    api.pool.reading = reading;
  });

  test('every answer has security headers and none that names the software', async () => {
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

  test('of 20 at once one runs, and all that succeed say the same', async () => {
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
