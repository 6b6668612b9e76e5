import { createServer } from 'node:http';
import { readInParts } from '@core/vault';
import { afterEach, describe, expect, test } from 'vitest';
import { sampleLog } from '../testing/nodeResults.ts';
import { chainClientOf } from './connectChain.ts';
import { listen } from './listen.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An answer as it goes over the wire: a status and a body, or the end of the connection. */
interface Given {
  readonly status?: number;
  readonly text: string | null;
}

type AnswerTo = (call: Asked) => object | Given;

const isGiven = (answer: object): answer is Given => 'text' in answer;

/** A node that answers each call as the test says, alone and in batches. */
async function startNode(answerTo: AnswerTo) {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => {
      text += String(piece);
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Asked | Asked[];
      const calls = Array.isArray(body) ? body : [body];
      methods.push(...calls.map(({ method }) => method));
      const answers = calls.map((call) => ({ call, answer: answerTo(call) }));
      const reply = answers.map(({ answer }) => answer).find(isGiven);
      if (reply !== undefined) {
        if (reply.text === null) return response.destroy();
        return response.writeHead(reply.status ?? 200).end(reply.text);
      }
      const results = answers.map(({ call, answer }) => ({ jsonrpc: '2.0', id: call.id, ...answer }));
      return response.end(JSON.stringify(Array.isArray(body) ? results : results[0]));
    });
  });
  const { url, close } = await listen(server, { port: 0 });
  endings.push(async () => {
    server.closeAllConnections();
    await close();
  });
  return { url, methods };
}

const refusal = (code: number, message: string, data?: unknown): AnswerTo => {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return () => ({ error });
};
const replyOf =
  (status: number, text: string | null): AnswerTo =>
  () => ({ status, text });

/** Answers of a sick node, in every known form: another one is to be asked. */
const failures: Readonly<Record<string, AnswerTo>> = {
  'an internal error': refusal(-32_603, 'Internal error'),
  'a missing trie node': refusal(-32_000, 'missing trie node 0e1f (path ) state 0x0e1f is not available'),
  'no header': refusal(-32_000, 'header not found'),
  'no block': refusal(-32_000, 'unknown block'),
  'pruned history': refusal(-32_000, 'required historical state unavailable (reexec=128)'),
  'no backends': refusal(-32_011, 'no backends available for method'),
  'a quota in its own words': refusal(-32_000, 'daily request count exceeded, request rate limited'),
  'a limit': refusal(-32_005, 'limit exceeded'),
  'a limit of HTTP in the body': refusal(429, 'Your app has exceeded its compute units per second capacity.'),
  'an unauthorised caller in the body': refusal(-32_000, 'Unauthorized: You must authenticate your request'),
  'a method that it lacks': refusal(-32_601, 'the method eth_call does not exist/is not available'),
  'a request that it does not read': refusal(-32_600, 'Invalid request'),
  'a parse error': refusal(-32_700, 'parse error'),
  'a node that syncs': refusal(-32_002, 'node is syncing'),
  'a full pool': refusal(-32_000, 'txpool is full'),
  'an upstream timeout': refusal(-32_000, 'request timed out upstream'),
  'an unknown code': refusal(-39_999, 'something went wrong'),
  'an unauthorised caller': replyOf(401, '{"message":"invalid project id"}'),
  'a forbidden caller': replyOf(403, 'forbidden'),
  'payment that is due': replyOf(402, 'quota exhausted'),
  'a throttle': replyOf(429, 'slow down'),
  'HTML of a proxy': replyOf(502, '<html>502 Bad Gateway</html>'),
  'HTML with status 200': replyOf(200, '<html>maintenance</html>'),
  'JSON that is cut': replyOf(200, '{"jsonrpc":"2.0","id":1,"resu'),
  'an empty body': replyOf(200, ''),
  'a body that is null': replyOf(200, 'null'),
  'a list of nothing': replyOf(200, '[]'),
  'an answer without a result': () => ({}),
  'a result that is null': () => ({ result: null }),
  'a result of another form': () => ({ result: 17 }),
  'a connection that ends': replyOf(200, null),
};

/** Answers that every node of the chain would give: no other is asked. */
const answers: Readonly<Record<string, AnswerTo>> = {
  'a revert with data': refusal(3, 'execution reverted', '0x08c379a0'),
  'a revert without data': refusal(3, 'execution reverted'),
  'a revert by its text': refusal(-32_000, 'execution reverted'),
  'a revert inside of an internal error': refusal(-32_603, 'Error: VM Exception', {
    data: '0x08c379a0',
    message: 'no',
  }),
  'a nonce that is used': refusal(-32_000, 'nonce too low: next nonce 5, tx nonce 4'),
  'a nonce that is early': refusal(-32_000, 'nonce too high'),
  'a transaction that it has': refusal(-32_000, 'already known'),
  'a replacement below the required fee': refusal(-32_000, 'replacement transaction underpriced'),
  'a transaction below the accepted fee': refusal(-32_000, 'transaction underpriced'),
  'an account without money': refusal(-32_000, 'insufficient funds for gas * price + value'),
  'gas that does not suffice': refusal(-32_000, 'intrinsic gas too low'),
  'a fee below the price': refusal(-32_000, 'max fee per gas less than block base fee'),
  'parameters that are wrong': refusal(-32_602, 'invalid argument 0: hex string without 0x prefix'),
};

const wholeAnswer: AnswerTo = ({ method }) => ({ result: method === 'eth_getLogs' ? [] : '0x2a' });
const call = { to: `0x${'1'.repeat(40)}`, data: '0x' } as const;

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe.each([false, true])('nodes, calls sent in batches: %s', (isBatched) => {
  test.each(Object.entries(failures))('%s of any node → the next node answers', async (_name, sick) => {
    const good = await startNode(wholeAnswer);
    for (const sickCount of [1, 2]) {
      const sickNodes = await Promise.all(Array.from({ length: sickCount }, () => startNode(sick)));
      const [rpcUrl, ...fallbackRpcUrls] = [...sickNodes.map(({ url }) => url), good.url];
      const client = chainClientOf({ rpcUrl, fallbackRpcUrls, timeoutMs: 5_000, retryCount: 0, isBatched });
      const [called, nonce] = await Promise.all([client.call(call), client.getTransactionCount({ address: call.to })]);
      expect([called.data, nonce]).toEqual(['0x2a', 42]);
      for (const { methods } of sickNodes) expect(methods).toContain('eth_call');
    }
  });

  test.each(Object.entries(answers))('%s → the answer, and no other node is asked', async (_name, answer) => {
    const [first, second] = await Promise.all([startNode(answer), startNode(wholeAnswer)]);
    const options = { rpcUrl: first.url, fallbackRpcUrls: [second.url], timeoutMs: 5_000, retryCount: 0, isBatched };
    expect(await failureOf(chainClientOf(options).call(call))).toBeInstanceOf(Error);
    expect(first.methods).toEqual(['eth_call']);
    expect(second.methods).toEqual([]);
  });

  test('every node fails → the failure of the first is thrown', async () => {
    const nodes = await Promise.all(
      ['Internal error', 'header not found'].map((text) => startNode(refusal(-32_000, text))),
    );
    const [rpcUrl = '', ...fallbackRpcUrls] = nodes.map(({ url }) => url);
    const client = chainClientOf({ rpcUrl, fallbackRpcUrls, timeoutMs: 5_000, retryCount: 0, isBatched });
    expect(await failureOf(client.getGasPrice())).toMatchObject({ details: 'Internal error' });
  });
});

test('a result beside an error that is null → the result counts', async () => {
  const { url } = await startNode(() => ({ result: '0x7a69', error: null }));
  expect(await chainClientOf({ rpcUrl: url, timeoutMs: 5_000, retryCount: 0 }).getChainId()).toBe(31_337);
});

test.each([
  ['eth_blockNumber', null],
  ['eth_blockNumber', 'twelve'],
  ['eth_getBlockByNumber', null],
  ['eth_getBlockByNumber', { number: null }],
  ['eth_getBlockByNumber', { number: '0x10', hash: `0x${'1'.repeat(64)}` }],
  ['eth_getLogs', null],
])('one node, %s is %j → a failure, never a value', async (method, result) => {
  const { url } = await startNode(() => ({ result }));
  const client = chainClientOf({ rpcUrl: url, timeoutMs: 5_000, retryCount: 0 });
  const params = method === 'eth_getBlockByNumber' ? ['latest', false] : [];
  const call = client.request({ method: method as never, params: params as never });
  expect(await failureOf(call)).toMatchObject({ name: 'HttpRequestError', details: `no result of ${method}` });
});

test('a transaction that has no receipt → null, as the node says', async () => {
  const { url } = await startNode(() => ({ result: null }));
  const client = chainClientOf({ rpcUrl: url, timeoutMs: 5_000, retryCount: 0 });
  const call = client.request({ method: 'eth_getTransactionReceipt', params: [`0x${'1'.repeat(64)}`] });
  expect(await call).toBeNull();
});

describe('a range of logs', () => {
  /** A provider that takes so many blocks at once, and says so in its own words. */
  function startProvider(maxBlocks: bigint, tooLarge: AnswerTo) {
    return startNode((asked) => {
      const [{ fromBlock, toBlock } = { fromBlock: '0x0', toBlock: '0x0' }] = asked.params as {
        readonly fromBlock: string;
        readonly toBlock: string;
      }[];
      const numbers: bigint[] = [];
      for (let number = BigInt(fromBlock); number <= BigInt(toBlock); number += 1n) numbers.push(number);
      if (BigInt(numbers.length) > maxBlocks) return tooLarge(asked);
      return { result: numbers.map((number) => ({ ...sampleLog, blockNumber: `0x${number.toString(16)}` })) };
    });
  }

  const read = async (url: string, from: bigint, to: bigint) => {
    const client = chainClientOf({ rpcUrl: url, timeoutMs: 5_000, retryCount: 0 });
    const logs = await readInParts(client, { from, to }, (part) =>
      client.getLogs({ fromBlock: part.from, toBlock: part.to }),
    );
    return logs.map(({ blockNumber }) => blockNumber);
  };

  test.each<[string, AnswerTo]>([
    ['a limit of results', refusal(-32_005, 'query returned more than 10000 results')],
    ['a limit of blocks', refusal(-32_602, 'eth_getLogs is limited to a 10 block range')],
    ['a limit of size', refusal(-32_000, 'Log response size exceeded. this block range should work: [0x0, 0x5]')],
    ['unknown words', refusal(-32_614, 'zu viele Blöcke')],
    ['a status of HTTP', replyOf(413, 'too large')],
  ])('%s → read in parts, each block once and in order', async (_name, tooLarge) => {
    for (const maxBlocks of [1n, 7n, 10n, 64n]) {
      const { url } = await startProvider(maxBlocks, tooLarge);
      const numbers = await read(url, 3n, 66n);
      expect(numbers).toEqual(Array.from({ length: 64 }, (_, index) => 3n + BigInt(index)));
    }
  });

  test('a throttled range is not split', async () => {
    const { url, methods } = await startProvider(1n, refusal(-32_005, 'daily request count exceeded, rate limited'));
    expect(await failureOf(read(url, 0n, 499n))).toBeInstanceOf(Error);
    expect(methods.length).toBe(1);
  });

  test('a refused single block: the refusal is thrown', async () => {
    const { url, methods } = await startProvider(0n, refusal(-32_000, 'log index is broken'));
    expect(await failureOf(read(url, 0n, 499n))).toBeInstanceOf(Error);
    expect(methods.length).toBeLessThan(12);
  });
});
