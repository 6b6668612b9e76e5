import { createServer } from 'node:http';
import { type Listening, listen } from '@core/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalRequest, localHandler, streamRefusalOf } from './localRoutes.ts';

const origins = ['http://127.0.0.1:8060', 'http://localhost:8060'];
const requests: string[] = [];
let program: Listening;

beforeAll(async () => {
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"now_ms":1}');
  });
  program = await listen(server, { port: 0 });
});
afterAll(() => program.close());

const send = (changes: Partial<LocalRequest>, venueUrl: string | null = program.url) => {
  const localOrigins = {
    venueUrl,
    apiOperationsUrl: null,
    keeperOperationsUrl: 'http://127.0.0.1:1',
    fillerOperationsUrls: [],
  };
  const page = { host: '127.0.0.1:8060', origin: 'http://127.0.0.1:8060' };
  return localHandler({ localOrigins, origins })({
    method: 'POST',
    path: '/venue/clock',
    headers: page,
    body: { advance_seconds: 1 },
    ...changes,
  });
};

test('localHandler: a page of this machine → its request is forwarded', async () => {
  expect(await send({})).toEqual({ status: 200, contentType: 'application/json', text: '{"now_ms":1}' });
  expect((await send({ method: 'GET', headers: { host: 'localhost:8060' } })).status).toBe(200);
  expect(requests).toEqual(['POST /control/clock', 'GET /control/clock']);
});

/** Callers that are refused: each test below gets them all. */
const strangers = [
  ['a page of another site', { host: '127.0.0.1:8060', origin: 'https://elsewhere.example' }],
  ['a page of another port', { host: '127.0.0.1:8060', origin: 'http://127.0.0.1:3000' }],
  ['a page without an origin, such as a file', { host: '127.0.0.1:8060', origin: 'null' }],
  [
    'a foreign host name that resolves to this machine',
    { host: 'elsewhere.example:8060', origin: 'http://elsewhere.example:8060' },
  ],
  ['a caller without a host', { origin: 'http://127.0.0.1:8060' }],
  [
    'a caller through a reverse proxy',
    { host: '127.0.0.1:8060', origin: 'http://127.0.0.1:8060', 'x-forwarded-for': '10.0.0.9' },
  ],
  [
    'a caller through a forwarding proxy',
    { host: '127.0.0.1:8060', origin: 'http://127.0.0.1:8060', via: '1.1 proxy' },
  ],
] as const;

test.for([...strangers, ['a POST without an origin', { host: '127.0.0.1:8060' }] as const])(
  'localHandler: %s → refused without forwarding',
  async ([, headers]) => {
    requests.length = 0;
    expect((await send({ headers })).status).toBe(403);
    expect(requests).toEqual([]);
  },
);

test('localHandler: another path or method, or a program that is not configured → refused without forwarding', async () => {
  requests.length = 0;
  const paths = ['/venue/order', '/venue/../order', '/venue/markets', '/operate/api/metrics', '/operate/stream'];
  for (const path of [...paths, '/venue/__proto__', '/venue/constructor']) {
    expect((await send({ path })).status).toBe(404);
  }
  expect((await send({ method: 'DELETE' })).status).toBe(405);
  expect((await send({}, null)).status).toBe(404);
  expect(requests).toEqual([]);
});

test('localHandler: a program that does not respond → 502', async () => {
  expect((await send({ method: 'GET' }, 'http://127.0.0.1:1')).status).toBe(502);
});

const host = '127.0.0.1:8060';
const stream = {
  localOrigins: {
    venueUrl: null,
    apiOperationsUrl: null,
    keeperOperationsUrl: 'http://127.0.0.1:1',
    fillerOperationsUrls: [],
  },
};
const streamStatus = (request: Partial<LocalRequest>, changes: Partial<Parameters<typeof streamRefusalOf>[1]> = {}) =>
  streamRefusalOf({ method: 'GET', headers: { host }, ...request }, { ...stream, origins, isFull: false, ...changes })
    ?.status;

test('streamRefusalOf: a page of this machine → allowed; beyond the maximum of viewers → 503', () => {
  expect(streamStatus({})).toBeUndefined();
  expect(streamStatus({}, { isFull: true })).toBe(503);
});

test.for(strangers)('streamRefusalOf: %s → refused', ([, headers]) => {
  expect(streamStatus({ headers })).toBe(403);
  expect(streamStatus({ headers }, { isFull: true })).toBe(403);
});

test('streamRefusalOf: another method, or no program that is configured → refused', () => {
  expect(streamStatus({ method: 'POST' })).toBe(405);
  const localOrigins = {
    venueUrl: 'http://127.0.0.1:1',
    apiOperationsUrl: null,
    keeperOperationsUrl: null,
    fillerOperationsUrls: [],
  };
  expect(streamStatus({}, { localOrigins })).toBe(404);
});

test('localHandler: the runbook page of an alert → its text, and nothing else of the disk', async () => {
  const read = (path: string, headers: LocalRequest['headers'] = { host: 'localhost:8060' }) =>
    send({ method: 'GET', path, headers, body: null });
  const page = await read('/operate/runbook/SharesUnheld');
  expect(page).toMatchObject({ status: 200, contentType: 'text/plain; charset=utf-8' });
  expect(page.text).toMatch(/^# .+\n[\s\S]+## Do/);
  for (const name of ['README', 'SharesUnheld.md', '../runbook/SharesUnheld', '']) {
    expect((await read(`/operate/runbook/${name}`)).status).toBe(404);
  }
  expect((await read('/operate/runbook/SharesUnheld', { host: 'elsewhere.example:8060' })).status).toBe(403);
});
