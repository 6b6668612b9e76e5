import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { chainClientOf } from './connectChain.ts';
import { listen } from './listen.ts';
import { watchRpcCalls } from './rpcCalls.ts';

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
      const reply = answerOf(body);
      if (reply !== null) response.writeHead(reply.status ?? 200, reply.headers ?? {}).end(reply.text);
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
  let reply: (body: readonly Asked[]) => Given = (body) => ({ text: JSON.stringify(body.slice(1).map(answerTo)) });
  const { url } = await startNode((body) => reply(listOf(body)));
  const client = chainClientOf({ rpcUrl: url, timeoutMs: 5_000, isBatched: true, retryCount: 0 });
  const both = () => Promise.all([failureOf(client.getGasPrice()), failureOf(client.getBlockNumber())]);
  expect(await both()).toMatchObject([{ name: 'HttpRequestError', details: 'no answer to the call' }, null]);
  const limited = { code: -32_005, message: 'too many calls' };
  reply = () => ({ status: 429, text: JSON.stringify({ jsonrpc: '2.0', id: null, error: limited }) });
  const name = 'LimitExceededRpcError';
  expect(await both()).toMatchObject([{ name }, { name }]);
  reply = () => ({ status: 502, text: '<html>bad gateway</html>' });
  expect(await both()).toMatchObject([
    { status: 502, details: '<html>bad gateway</html>' },
    { status: 502, details: '<html>bad gateway</html>' },
  ]);
});

test("a throttled request is repeated after the node's Retry-After", async () => {
  let count = 0;
  const { url } = await startNode((body) => {
    count += 1;
    return count === 1 ? { status: 429, headers: { 'retry-after': '0' }, text: 'slow down' } : answered(body);
  });
  expect(await chainClientOf({ rpcUrl: url, timeoutMs: 5_000 }).getGasPrice()).toBe(12n);
  expect(count).toBe(2);
});

test.each([
  ['seconds', '3600'],
  ['many seconds', '86400000'],
  ['a date', new Date(Date.now() + 3_600_000).toUTCString()],
])(
  'a node that asks for a long pause in %s → the call fails at once, and none is sent in the pause',
  async (_, text) => {
    const { url, bodies } = await startNode(() => ({
      status: 429,
      headers: { 'retry-after': text },
      text: 'slow down',
    }));
    const client = chainClientOf({ rpcUrl: url, timeoutMs: 5_000 });
    for (let call = 0; call < 3; call += 1) {
      expect(await failureOf(client.getGasPrice())).toMatchObject({ name: 'HttpRequestError', status: 429 });
    }
    expect(bodies.length).toBe(1);
  },
);

test('several nodes, the first asks for a pause of a day → each call is answered by the second', async () => {
  const first = await startNode(() => ({ status: 503, headers: { 'retry-after': '86400' }, text: '' }));
  const second = await startNode(answered);
  const client = chainClientOf({ rpcUrl: first.url, fallbackRpcUrls: [second.url], timeoutMs: 5_000 });
  for (let call = 0; call < 5; call += 1) expect(await client.getGasPrice()).toBe(12n);
  expect([first.bodies.length, second.bodies.length]).toEqual([1, 5]);
});

test('a user and a password in the address are sent as a header', async () => {
  const { url, headers } = await startNode(answered);
  const client = chainClientOf({ rpcUrl: url.replace('//', '//a%40b:secret@'), timeoutMs: 5_000 });
  await client.getGasPrice();
  expect(headers[0]?.authorization).toBe(`Basic ${btoa('a@b:secret')}`);
});

test('a slow answer: the whole request times out', async () => {
  const server = createServer((_, response) => void response.writeHead(200).write('{"jsonrpc"'));
  const { url, close } = await listen(server, { port: 0 });
  endings.push(async () => {
    server.closeAllConnections();
    await close();
  });
  const client = chainClientOf({ rpcUrl: url, timeoutMs: 100, retryCount: 0 });
  expect(await failureOf(client.getGasPrice())).toMatchObject({ name: 'TimeoutError' });
});

test('calls to nodes are counted by method, each of a batch and each repeat', async () => {
  let failuresLeft = 1;
  const { url } = await startNode((body) => {
    failuresLeft -= 1;
    return failuresLeft >= 0 ? { status: 503, text: '' } : answered(body);
  });
  const client = chainClientOf({ rpcUrl: url, timeoutMs: 5_000, isBatched: true, retryCount: 1 });
  const registry = new Registry();
  watchRpcCalls(registry);
  const counts = async (): Promise<readonly number[]> => {
    const text = await registry.metrics();
    return ['eth_gasPrice', 'eth_chainId'].map((method) => {
      const line = text.split('\n').find((one) => one.startsWith(`rpc_calls_total{method="${method}"}`));
      return Number(line?.split(' ').at(-1) ?? 0);
    });
  };
  const before = await counts();
  await Promise.all([client.getGasPrice(), client.getGasPrice(), client.getChainId()]);
  const after = await counts();
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([4, 2]);
});
