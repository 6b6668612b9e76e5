import { createServer } from 'node:http';
import { type Listening, listen } from '@core/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalRequest, localAnswerer } from './localRoutes.ts';

const origins = ['http://127.0.0.1:8060', 'http://localhost:8060'];
const asked: string[] = [];
let program: Listening;

beforeAll(async () => {
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"now_ms":1}');
  });
  program = await listen(server, { port: 0 });
});
afterAll(() => program.close());

const ask = (changes: Partial<LocalRequest>) => {
  const places = { venueUrl: program.url, apiOperationsUrl: null, keeperOperationsUrl: 'http://127.0.0.1:1' };
  const page = { host: '127.0.0.1:8060', origin: 'http://127.0.0.1:8060' };
  return localAnswerer({ places, origins })({
    method: 'POST',
    path: '/venue/clock',
    headers: page,
    body: { advance_seconds: 1 },
    ...changes,
  });
};

test('a page of this machine reaches the program', async () => {
  expect(await ask({})).toEqual({ status: 200, contentType: 'application/json', text: '{"now_ms":1}' });
  expect((await ask({ method: 'GET', headers: { host: 'localhost:8060' } })).status).toBe(200);
  expect(asked).toEqual(['POST /control/clock', 'GET /control/clock']);
});

test.for([
  ['a page of another site', { host: '127.0.0.1:8060', origin: 'https://elsewhere.example' }],
  ['a page of another port', { host: '127.0.0.1:8060', origin: 'http://127.0.0.1:3000' }],
  ['a page without an origin, such as a file', { host: '127.0.0.1:8060', origin: 'null' }],
  ['a program that posts without an origin', { host: '127.0.0.1:8060' }],
  [
    'a name that someone points at this machine',
    { host: 'elsewhere.example:8060', origin: 'http://elsewhere.example:8060' },
  ],
  ['a caller without a host', { origin: 'http://127.0.0.1:8060' }],
  [
    'a caller through a web server',
    { host: '127.0.0.1:8060', origin: 'http://127.0.0.1:8060', 'x-forwarded-for': '10.0.0.9' },
  ],
  ['a caller through a proxy', { host: '127.0.0.1:8060', origin: 'http://127.0.0.1:8060', via: '1.1 proxy' }],
] as const)('%s is refused, and nothing is asked', async ([, headers]) => {
  asked.length = 0;
  expect((await ask({ headers })).status).toBe(403);
  expect(asked).toEqual([]);
});

test('nothing else of a program can be reached, and nothing of one that is not named', async () => {
  asked.length = 0;
  const paths = ['/venue/order', '/venue/../order', '/venue/markets', '/operate/api/metrics', '/operate/keeper/other'];
  for (const path of [...paths, '/venue/__proto__', '/venue/constructor']) {
    expect((await ask({ path })).status).toBe(404);
  }
  expect((await ask({ method: 'DELETE' })).status).toBe(405);
  expect((await ask({ path: '/operate/keeper/metrics' })).status).toBe(405);
  expect(asked).toEqual([]);
});

test('a program that does not answer is said to be away', async () => {
  expect((await ask({ method: 'GET', path: '/operate/keeper/readyz' })).status).toBe(502);
});
