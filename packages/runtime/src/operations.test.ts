import { createServer, get, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type Listening, listen } from './listen.ts';
import { type Operations, type Readiness, startOperationsServer } from './operations.ts';

let server: Listening | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function start(changes: Partial<Operations>): Promise<string> {
  const registry = { contentType: 'text/plain; version=0.0.4', metrics: async () => 'a_total 1\n' };
  const readiness = (): Readiness => ({ isReady: true, detail: { missing: [] } });
  server = await startOperationsServer({ registry, readiness, ...changes }, { port: 0 });
  return server.url;
}

const statusAndBody = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init);
  return [response.status, await response.text()] as const;
};

test('shows metrics, health and readiness, and nothing else', async () => {
  const url = await start({});
  expect(await statusAndBody(`${url}/metrics`)).toEqual([200, 'a_total 1\n']);
  expect((await fetch(`${url}/metrics`)).headers.get('content-type')).toBe('text/plain; version=0.0.4');
  expect(await statusAndBody(`${url}/healthz`)).toEqual([200, '{"status":"ok"}']);
  expect(await statusAndBody(`${url}/readyz`)).toEqual([200, '{"missing":[]}']);
  expect((await statusAndBody(`${url}/other`))[0]).toBe(404);
  expect((await statusAndBody(`${url}/metrics`, { method: 'POST' }))[0]).toBe(404);
});

test('a program that is not ready answers 503, one whose state cannot be read 500', async () => {
  const url = await start({
    registry: { contentType: 'text/plain', metrics: () => Promise.reject(new Error('no metrics')) },
    readiness: async () => ({ isReady: false, detail: { missing: ['chain'] } }),
  });
  expect(await statusAndBody(`${url}/readyz`)).toEqual([503, '{"missing":["chain"]}']);
  expect((await statusAndBody(`${url}/metrics`))[0]).toBe(500);
});

test('a taken port is an error; closing answers the request under way first', async () => {
  let arrive: (response: ServerResponse) => void = () => undefined;
  const arrived = new Promise<ServerResponse>((resolve) => {
    arrive = resolve;
  });
  const slow = await listen(
    createServer((_, response) => arrive(response)),
    { port: 0 },
  );
  await expect(listen(createServer(), { port: Number(new URL(slow.url).port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  const request = fetch(slow.url, { headers: { connection: 'close' } });
  const response = await arrived;
  const closing = slow.close().then(() => response.writableFinished);
  response.end('done');
  expect(await (await request).text()).toBe('done');
  expect(await closing).toBe(true);
  await expect(fetch(slow.url)).rejects.toThrow(TypeError);
});

test('shows further facts to this machine alone', async () => {
  const url = await start({ facts: { '/partners': async () => ({ partners: [] }) } });
  expect(await statusAndBody(`${url}/partners`)).toEqual([200, '{"partners":[]}']);
  expect((await statusAndBody(`${url}/partners`, { method: 'POST' }))[0]).toBe(404);
  expect((await statusAndBody(`${url}/toString`))[0]).toBe(404);
  expect(await statusAs(url, { origin: 'https://elsewhere.example' })).toBe(403);
  expect(await statusAs(url, { host: 'elsewhere.example' })).toBe(403);
  expect(await statusAs(url, { host: '127.0.0.1.elsewhere.example:80' })).toBe(403);
  expect(await statusAs(url, { host: 'localhost:9464' })).toBe(200);
});

/** Status for a caller with these headers; `fetch` would not send another host. */
function statusAs(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${url}/partners`, { headers }, (response) => resolve(response.resume().statusCode)).once('error', reject);
  });
}
