import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldOf, send, startTestApi, type TestApi, wallets } from '../testing/startTestApi.ts';

let api: TestApi;
const lines: string[] = [];

beforeAll(async () => {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  api = await startTestApi({ config: { metricsPort: 0 }, logger: pino({ level: 'trace' }, sink) });
});
afterAll(() => api.close());

test('F22: requests are logged with id, route, status and code, and no credential is', async () => {
  const token = await api.userOf(wallets.alice);
  const answer = await api.call('/quotes', { authorization: token, body: { note: 'private words' } });
  await api.call('/markets', { authorization: `Api-Key sbx_skey_${'b'.repeat(40)}` });
  await expect.poll(() => lines.length).toBeGreaterThan(2);
  const requestId = answer.headers.get('request-id') ?? '';
  const logged = lines.map((line): unknown => JSON.parse(line));
  expect(logged.find((line) => fieldOf(line, 'requestId') === requestId)).toMatchObject({
    route: 'createQuote',
    status: 400,
    code: 'invalid_request',
    caller: 'user',
  });
  const all = lines.join('');
  for (const secret of [
    token.slice('Bearer '.length),
    api.partners[0]?.apiKey ?? '',
    'b'.repeat(40),
    'private words',
  ]) {
    expect(all.includes(secret)).toBe(false);
  }
});

test('metrics count requests by route and refusals by code, on a port of their own', async () => {
  await api.call('/unknown');
  const url = api.api.metricsUrl ?? '';
  const response = await fetch(url);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(text).toContain('api_request_duration_seconds_count');
  expect(text).toContain('code="not_found"');
  expect(text).toContain('api_signer_info{implementation="native"} 1');
  expect((await fetch(url.replace('/metrics', '/other'))).status).toBe(404);
  expect((await send(`${api.api.origin}/metrics`, {})).status).toBe(404);
});
