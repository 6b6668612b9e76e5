import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { chainClientOf } from './connectChain.ts';
import { listen } from './listen.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

interface Asked {
  readonly id: number;
  readonly method: string;
}

interface Given {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly text: string;
}

/** A node that answers whatever body it gets; what it was asked, oldest first. */
async function startNode(answerOf: (body: Asked | readonly Asked[]) => Given | null) {
  const bodies: (Asked | readonly Asked[])[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => {
      text += String(piece);
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Asked | Asked[];
      bodies.push(body);
      headers.push(request.headers);
      const given = answerOf(body);
      if (given !== null) response.writeHead(given.status ?? 200, given.headers ?? {}).end(given.text);
    });
  });
  const { url, close } = await listen(server, { port: 0 });
  endings.push(async () => {
    server.closeAllConnections();
    await close();
  });
  return { url, bodies, headers };
}

const answerTo = ({ id, method }: Asked): object => ({ jsonrpc: '2.0', id, result: `0x${method.length.toString(16)}` });
const answered = (body: Asked | readonly Asked[]): Given => ({
  text: JSON.stringify('id' in body ? answerTo(body) : body.toReversed().map(answerTo)),
});
const listOf = (body: unknown): readonly Asked[] => (Array.isArray(body) ? (body as Asked[]) : []);

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

test('calls of one moment are one request, and each has its own answer in whatever order they come', async () => {
  const { url, bodies } = await startNode(answered);
  const client = chainClientOf({ rpcUrl: url, timeoutMs: 5_000, isBatched: true });
  const [chainId, gasPrice, block] = await Promise.all([
    client.getChainId(),
    client.getGasPrice(),
    client.getBlockNumber(),
  ]);
  expect([BigInt(chainId), gasPrice, block]).toEqual([11n, 12n, 15n]);
  expect(bodies.length).toBe(1);
  expect(await client.getGasPrice()).toBe(12n);
  expect(bodies[1]).toMatchObject({ method: 'eth_gasPrice' });
});

test('a call that is refused fails alone', async () => {
  const { url } = await startNode((body) => {
    const refusal = (id: number) => ({ id, error: { code: -32_601, message: 'no such method' } });
    return { text: JSON.stringify(listOf(body).map((call, at) => (at === 1 ? refusal(call.id) : answerTo(call)))) };
  });
  const client = chainClientOf({ rpcUrl: url, timeoutMs: 5_000, isBatched: true, retryCount: 0 });
  const [first, second] = await Promise.all([client.getGasPrice(), failureOf(client.getBlockNumber())]);
  expect(first).toBe(12n);
  expect(second).toMatchObject({ name: 'MethodNotFoundRpcError', details: 'no such method' });
});

test('a call without an answer fails, and so does a whole batch that is refused or no JSON', async () => {
  let given: (body: readonly Asked[]) => Given = (body) => ({ text: JSON.stringify(body.slice(1).map(answerTo)) });
  const { url } = await startNode((body) => given(listOf(body)));
  const client = chainClientOf({ rpcUrl: url, timeoutMs: 5_000, isBatched: true, retryCount: 0 });
  const both = () => Promise.all([failureOf(client.getGasPrice()), failureOf(client.getBlockNumber())]);
  expect(await both()).toMatchObject([{ name: 'HttpRequestError', details: 'no answer to the call' }, null]);
  const limited = { code: -32_005, message: 'too many calls' };
  given = () => ({ status: 429, text: JSON.stringify({ jsonrpc: '2.0', id: null, error: limited }) });
  const name = 'LimitExceededRpcError';
  expect(await both()).toMatchObject([{ name }, { name }]);
  given = () => ({ status: 502, text: '<html>bad gateway</html>' });
  expect(await both()).toMatchObject([
    { status: 502, details: '<html>bad gateway</html>' },
    { status: 502, details: '<html>bad gateway</html>' },
  ]);
});

test('a busy node is asked again after the time it asks for', async () => {
  let count = 0;
  const { url } = await startNode((body) => {
    count += 1;
    return count === 1 ? { status: 429, headers: { 'retry-after': '0' }, text: 'slow down' } : answered(body);
  });
  expect(await chainClientOf({ rpcUrl: url, timeoutMs: 5_000 }).getGasPrice()).toBe(12n);
  expect(count).toBe(2);
});

test('a user and a password in the address are sent as a header', async () => {
  const { url, headers } = await startNode(answered);
  const client = chainClientOf({ rpcUrl: url.replace('//', '//a%40b:secret@'), timeoutMs: 5_000 });
  await client.getGasPrice();
  expect(headers[0]?.authorization).toBe(`Basic ${btoa('a@b:secret')}`);
});

test('an answer that does not end in time is given up as a whole', async () => {
  const server = createServer((_, response) => void response.writeHead(200).write('{"jsonrpc"'));
  const { url, close } = await listen(server, { port: 0 });
  endings.push(async () => {
    server.closeAllConnections();
    await close();
  });
  const client = chainClientOf({ rpcUrl: url, timeoutMs: 100, retryCount: 0 });
  expect(await failureOf(client.getGasPrice())).toMatchObject({ name: 'TimeoutError' });
});
