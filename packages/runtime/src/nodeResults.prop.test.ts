import { createServer } from 'node:http';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { sampleCalls, sampleLog } from '../testing/nodeResults.ts';
import { chainClientOf } from './connectChain.ts';
import { type Listening, listen } from './listen.ts';
import type { Call } from './nodeAnswers.ts';

const servers: Listening[] = [];
afterAll(async () => {
  for (const { close } of servers) await close();
});

interface Node {
  result: unknown;
  callCount: number;
  url: string;
}

/** A node whose next result is set by the test. */
async function startNode(): Promise<Node> {
  const node: Node = { result: null, callCount: 0, url: '' };
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      node.callCount += 1;
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: node.result });
      response.writeHead(200, { connection: 'close' }).end(body);
    });
  });
  const listening = await listen(server, { port: 0 });
  servers.push(listening);
  node.url = listening.url;
  return node;
}

/** Values that no method has as its result, nor in a field that is necessary. */
const rubbish = fc.oneof(
  fc.constantFrom(true, 17, -1, 1.5, '', '0x0z', '0xzz', '12', 'latest', {}, [null], [[]], { number: '0x10' }),
  fc.string().filter((text) => !text.startsWith('0x')),
  fc.double(),
  fc.array(fc.integer(), { minLength: 1 }),
  fc.dictionary(fc.string(), fc.integer()),
);

/** Results that are wrong as a whole, or whose necessary field is wrong or absent. */
function wrongResults({ result, fields }: { readonly result: unknown; readonly fields: readonly string[] }) {
  const changed = fields.map((field) =>
    fc.option(rubbish, { nil: undefined }).map((value) => ({ ...(result as object), [field]: value })),
  );
  return fc.oneof(rubbish, ...changed);
}

/** Ask a bad node and a good one: the result, and the number of requests that each got. */
async function ask({ method, params }: Call, nodes: readonly Node[]) {
  for (const node of nodes) node.callCount = 0;
  const [rpcUrl = '', ...fallbackRpcUrls] = nodes.map(({ url }) => url);
  // A new client each time: a node that failed is tried last for a while.
  const client = chainClientOf({ rpcUrl, fallbackRpcUrls, timeoutMs: 5_000, retryCount: 0 });
  const result: unknown = await client.request({ method: method as never, params: params as never });
  return { result, callCounts: nodes.map(({ callCount }) => callCount) };
}

const titled = sampleCalls.map((sample) => ({ ...sample, title: `${sample.method} ${JSON.stringify(sample.params)}` }));

test.each(titled)('$title: a result of a wrong form → the next node answers', async (sample) => {
  const [bad, good] = await Promise.all([startNode(), startNode()]);
  good.result = sample.result;
  const law = fc.asyncProperty(wrongResults(sample), async (wrong) => {
    bad.result = wrong;
    expect(await ask(sample, [bad, good])).toEqual({ result: sample.result, callCounts: [1, 1] });
  });
  await fc.assert(law, { numRuns: 40 });
});

test.each(titled)('$title: a true result → the first node answers', async (sample) => {
  const [first, second] = await Promise.all([startNode(), startNode()]);
  first.result = sample.result;
  expect(await ask(sample, [first, second])).toEqual({ result: sample.result, callCounts: [1, 0] });
});

const logFields = Object.keys(sampleLog);

test.each(['eth_getLogs', 'eth_getTransactionReceipt'])(
  '%s: one log of a wrong form → the next node',
  async (method) => {
    const sample = sampleCalls.find((call) => call.method === method);
    if (sample === undefined) throw new Error(`there is a sample of ${method}`);
    const [bad, good] = await Promise.all([startNode(), startNode()]);
    good.result = sample.result;
    const law = fc.asyncProperty(fc.constantFrom(...logFields), rubbish, async (field, value) => {
      const logs = [sampleLog, { ...sampleLog, [field]: value }];
      bad.result = Array.isArray(sample.result) ? logs : { ...(sample.result as object), logs };
      expect((await ask(sample, [bad, good])).callCounts).toEqual([1, 1]);
    });
    await fc.assert(law, { numRuns: 40 });
  },
);

const readsByName = /^eth_getBlockBy|^eth_getTransaction(?:ByHash|Receipt)/;
const named = titled.filter(({ method, params }) => readsByName.test(method) && !String(params).startsWith('latest'));

test.each(named)(
  '$title: a result of another number or hash → the next node answers; null is an answer',
  async (one) => {
    const [bad, good] = await Promise.all([startNode(), startNode()]);
    good.result = one.result;
    const other = one.method === 'eth_getBlockByNumber' ? '0x11' : `0x${'e'.repeat(64)}`;
    const field =
      { eth_getBlockByNumber: 'number', eth_getTransactionReceipt: 'transactionHash' }[one.method] ?? 'hash';
    bad.result = { ...(one.result as object), [field]: other };
    expect((await ask(one, [bad, good])).callCounts).toEqual([1, 1]);
    bad.result = null;
    expect(await ask(one, [bad, good])).toEqual({ result: null, callCounts: [1, 0] });
  },
);

const otherLogs = fc.constantFrom(
  { blockNumber: '0x11' },
  { blockNumber: '0x1' },
  { address: `0x${'9'.repeat(40)}` },
  { topics: [] },
  { topics: [`0x${'d'.repeat(64)}`] },
);

test('eth_getLogs: one log that the filter does not select → the next node answers', async () => {
  const [bad, good] = await Promise.all([startNode(), startNode()]);
  const { address, topics } = sampleLog;
  const filter = {
    fromBlock: '0x2',
    toBlock: '0x10',
    address: [address.toUpperCase().replace('X', 'x')],
    topics: [topics],
  };
  const call = { method: 'eth_getLogs', params: [filter] };
  good.result = [sampleLog, sampleLog];
  const law = fc.asyncProperty(otherLogs, fc.boolean(), async (other, isFirst) => {
    const wrong = { ...sampleLog, ...other };
    bad.result = isFirst ? [wrong, sampleLog] : [sampleLog, wrong];
    expect(await ask(call, [bad, good])).toEqual({ result: good.result, callCounts: [1, 1] });
  });
  await fc.assert(law, { numRuns: 40 });
});
