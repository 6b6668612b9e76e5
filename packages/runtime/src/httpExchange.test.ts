import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpExchange } from './httpExchange.ts';
import { type Listening, listen } from './listen.ts';

let server: Listening;
beforeAll(async () => {
  const answering = createServer((request, response) => {
    if (request.url === '/packed') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('höchstens'.repeat(1_000)));
    } else if (request.url === '/elsewhere') {
      response.writeHead(302, { location: '/packed' }).end('gone');
    } else if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 20);
    } else {
      response.writeHead(200, { 'x-method': request.method ?? '', 'x-sent': request.headers['x-sent'] ?? 'nothing' });
      request.pipe(response);
    }
  });
  server = await listen(answering, { port: 0 });
});
afterAll(() => server.close());

const ask = (path: string) => httpExchange({ url: `${server.url}${path}`, method: 'GET', timeoutMs: 2_000 });

test('sends method, headers and body, and reads status, headers and text', async () => {
  const url = `${server.url}/echo`;
  const answer = await httpExchange({ url, method: 'POST', headers: { 'x-sent': 'a' }, body: 'čau', timeoutMs: 2_000 });
  expect([answer.status, answer.text, answer.header('x-method'), answer.header('x-sent')]).toEqual([
    200,
    'čau',
    'POST',
    'a',
  ]);
  expect(answer.header('x-none')).toBeNull();
});

test('a compressed answer is decompressed', async () => {
  expect((await ask('/packed')).text).toBe('höchstens'.repeat(1_000));
});

test('a redirection is an answer that names its target, and is not followed', async () => {
  const text = 'redirects to /packed: set the address of the service itself';
  expect(await ask('/elsewhere')).toMatchObject({ status: 302, text });
});

test('an incomplete answer: the fault has the code of the network', async () => {
  await expect(ask('/cut')).rejects.toMatchObject({ code: expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/) });
  const exchange = httpExchange({ url: 'http://127.0.0.1:9/', method: 'GET', timeoutMs: 2_000 });
  await expect(exchange).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
