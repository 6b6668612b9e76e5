import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonRpcMethod, startHttpFaultProxy, stillAt } from './httpFaultProxy.ts';

let upstream: Server;
let targetPort: number;
let handled: string[];

beforeEach(async () => {
  handled = [];
  upstream = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      handled.push(`${request.method} ${request.url} ${body}`);
      response.writeHead(201, { 'x-upstream': 'yes' }).end(`got ${body}`);
    });
  });
  await new Promise<void>((resolve) => {
    upstream.listen(0, '127.0.0.1', resolve);
  });
  targetPort = (upstream.address() as AddressInfo).port;
});

afterEach(async () => {
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});

const call = (url: string, body: string, timeoutMs = 1000) =>
  fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(timeoutMs), headers: { connection: 'close' } });

test('the HTTP proxy is transparent without rules', async () => {
  const proxy = await startHttpFaultProxy(`http://127.0.0.1:${targetPort}`);
  const answer = await call(`${proxy.url}/a?b=1`, 'hello');
  expect([answer.status, answer.headers.get('x-upstream'), await answer.text()]).toEqual([201, 'yes', 'got hello']);
  expect(handled).toEqual(['POST /a?b=1 hello']);
  expect(proxy.requests()).toEqual([{ method: 'POST', path: '/a?b=1', bodyText: 'hello' }]);
  await proxy.close();
});

test('a rule fails the given number of matching requests', async () => {
  const proxy = await startHttpFaultProxy(`http://127.0.0.1:${targetPort}`);
  const send = '{"method":"eth_sendRawTransaction"}';
  proxy.addRule({ matches: jsonRpcMethod('eth_sendRawTransaction'), fault: { kind: 'dropAnswer' }, times: 1 });
  proxy.addRule({ matches: jsonRpcMethod('eth_sendRawTransaction'), fault: { kind: 'drop' }, times: 1 });
  proxy.addRule({
    matches: jsonRpcMethod('eth_sendRawTransaction'),
    fault: { kind: 'answer', status: 503, bodyText: '{}' },
    times: 1,
  });
  await expect(call(proxy.url, send)).rejects.toThrow(TypeError);
  expect(handled).toHaveLength(1);
  await expect(call(proxy.url, send)).rejects.toThrow(TypeError);
  expect(handled).toHaveLength(1);
  expect((await call(proxy.url, send)).status).toBe(503);
  expect((await call(proxy.url, send)).status).toBe(201);
  expect(handled).toHaveLength(2);
  await proxy.close();
});

test('rewrite: the upstream receives the other body', async () => {
  const proxy = await startHttpFaultProxy(`http://127.0.0.1:${targetPort}`);
  proxy.addRule({ matches: () => true, fault: stillAt(18n), times: 1 });
  expect(await (await call(proxy.url, '["latest",false]')).text()).toBe('got ["0x12",false]');
  await proxy.close();
});

test('hang and delay: the client gets no answer, and a late one', async () => {
  const proxy = await startHttpFaultProxy(`http://127.0.0.1:${targetPort}`);
  proxy.addRule({ matches: () => true, fault: { kind: 'hang' }, times: 1 });
  proxy.addRule({ matches: () => true, fault: { kind: 'delay', delayMs: 120 }, times: 1 });
  await expect(call(proxy.url, 'x', 1_500)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(handled).toHaveLength(0);
  const startedMs = performance.now();
  expect((await call(proxy.url, 'x')).status).toBe(201);
  expect(performance.now() - startedMs).toBeGreaterThan(100);
  await proxy.close();
});
