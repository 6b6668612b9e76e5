import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault } from '@core/errors';
import { afterEach, expect, test } from 'vitest';
import { chainClientOf, connectChain } from './connectChain.ts';
import { createLogger } from './createLogger.ts';

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

const secret = 'hunter22hunter22';

/** An RPC server that answers as the method says; null hangs. Its address carries a key in the path. */
async function startChain(answerOf: (method: string) => object | null): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += String(piece);
    });
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const answer = answerOf(method);
      if (answer !== null) response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/${secret}`;
}

/** Everything of an error that a log line, a report or a page could show. */
function shownOf(error: unknown): string {
  const lines: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    lines.push(`${cause.stack}`, cause.message, JSON.stringify(Object.entries(cause)));
  }
  return lines.join('\n');
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

test('the expected chain gives a client', async () => {
  const rpcUrl = await startChain((method) => ({ result: method === 'eth_chainId' ? '0x7a69' : '0x10' }));
  const client = await connectChain({ rpcUrl, chainId: 31_337, timeoutMs: 5_000 });
  expect(await client.getBlockNumber()).toBe(16n);
});

test('another chain is a terminal fault of the configuration', async () => {
  const rpcUrl = await startChain(() => ({ result: '0x1' }));
  const failure = await failureOf(connectChain({ rpcUrl, chainId: 31_337, timeoutMs: 5_000 }));
  expect(failure).toBeInstanceOf(Fault);
  expect(failure).toMatchObject({ origin: 'configuration', kind: 'terminal' });
  expect(shownOf(failure)).not.toContain(secret);
});

test.each([
  ['is not there', async () => `http://127.0.0.1:9/v2/${secret}`],
  ['hangs', () => startChain(() => null)],
])('a chain that %s is a retryable fault, and no key is shown', async (_, start) => {
  const rpcUrl = await start();
  const failure = await failureOf(connectChain({ rpcUrl, chainId: 31_337, timeoutMs: 50, retryCount: 0 }));
  expect(failure).toMatchObject({ name: 'Fault', origin: 'chain', kind: 'retryable' });
  expect(shownOf(failure)).not.toContain(secret);
  expect(shownOf(failure)).toContain('/v2/***');
});

test('no failed read shows the key: neither its error nor its log line', async () => {
  const rpcUrl = await startChain(() => ({ error: { code: -32_000, message: `upstream of ${secret} failed` } }));
  const lines: string[] = [];
  const logger = createLogger({ name: 'sample', level: 'info', destination: { write: (line) => lines.push(line) } });
  const client = chainClientOf({ rpcUrl: rpcUrl.replace('127.0.0.1', 'localhost'), timeoutMs: 5_000, retryCount: 0 });
  const failure = await failureOf(client.getBlock());
  expect(shownOf(failure)).not.toContain(`/v2/${secret}`);
  logger.warn({ err: failure }, 'poll failed');
  expect(lines.join('')).not.toContain(`/v2/${secret}`);
});

test('a failing or lagging node is skipped, and tried again later', async () => {
  const requests: string[] = [];
  const heads = { first: '0x10', second: '0x12' };
  let isFirstDown = false;
  const rpcUrl = await startChain((method) => {
    requests.push(`first ${method}`);
    if (isFirstDown) return { error: { code: -32_005, message: 'limit exceeded' } };
    return { result: method === 'eth_chainId' ? '0x7a69' : heads.first };
  });
  const second = await startChain((method) => {
    requests.push(`second ${method}`);
    return { result: method === 'eth_chainId' ? '0x7a69' : heads.second };
  });
  const options = { rpcUrl, fallbackRpcUrls: [second], timeoutMs: 5_000, retryCount: 0 };
  const client = await connectChain({ ...options, chainId: 31_337 });
  expect(await client.getBlockNumber()).toBe(0x10n);
  isFirstDown = true;
  expect(await client.getBlockNumber()).toBe(0x12n);
  isFirstDown = false;
  // It cools down, then it is behind; when both are behind, the one further ahead is trusted.
  requests.length = 0;
  expect(await client.getBlockNumber()).toBe(0x12n);
  expect(requests).toEqual(['second eth_blockNumber']);
  heads.second = '0x11';
  expect(await client.getBlockNumber()).toBe(0x11n);
  expect(requests).toContain('first eth_blockNumber');
});

test('a revert is an answer: no other node is asked', async () => {
  const revert = { error: { code: 3, message: 'execution reverted', data: '0x08c379a0' } };
  const rpcUrl = await startChain(() => revert);
  let otherCount = 0;
  const other = await startChain(() => {
    otherCount += 1;
    return { result: '0x' };
  });
  const client = chainClientOf({ rpcUrl, fallbackRpcUrls: [other], timeoutMs: 5_000, retryCount: 0 });
  await failureOf(client.call({ to: `0x${'1'.repeat(40)}`, data: '0x' }));
  expect(otherCount).toBe(0);
});

test('failures show no credential of any node', async () => {
  const dead = `http://127.0.0.1:9/v2/${secret}`;
  const failure = await failureOf(
    connectChain({
      rpcUrl: dead,
      fallbackRpcUrls: [`${dead}?key=${secret}`],
      chainId: 1,
      timeoutMs: 500,
      retryCount: 0,
    }),
  );
  expect(failure).toBeInstanceOf(Fault);
  expect(shownOf(failure)).not.toContain(secret);
});
