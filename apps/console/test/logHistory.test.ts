import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { BlockRange } from '@core/vault';
import { RpcRequestError } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LogHistory } from '../web/src/chain/logHistory.ts';

const contract = '0x0000000000000000000000000000000000000001';
const deployedAt = 1_234n;
let head = 100_000n;
let url: string;

/** A node of a chain with one contract. */
const node = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method, params } = JSON.parse(await text(request));
  const hasCode = method === 'eth_getCode' && BigInt(params[1]) >= deployedAt;
  const result = method === 'eth_blockNumber' ? `0x${head.toString(16)}` : hasCode ? '0x60' : '0x';
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
});

afterAll(() => void node.close());

const refusal = () =>
  new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_602, message: 'block range is too large' } });

/** A history of one log in every thousandth block, of a node that takes so many blocks. */
function historyOf(maxBlocks: bigint) {
  const requests: BlockRange[] = [];
  const history = new LogHistory({
    rpcUrl: url,
    contract,
    read: async ({ from, to }) => {
      requests.push({ from, to });
      if (to - from + 1n > maxBlocks) throw refusal();
      const first = (from + 999n) / 1_000n;
      const count = to / 1_000n - first + 1n;
      return Array.from({ length: Number(count) }, (_, index) => ({ blockNumber: (first + BigInt(index)) * 1_000n }));
    },
  });
  return { history, requests };
}

const everyLog = Array.from({ length: 99 }, (_, index) => ({ blockNumber: BigInt(index + 2) * 1_000n }));

test.each([1_000n, 10_000n])(
  'history: 100,000 blocks, %i in a request → complete, from the deployment',
  async (max) => {
    const { history } = historyOf(max);
    await history.resume();
    const whole = { from: deployedAt, to: head };
    expect(history.state.get()).toMatchObject({ logs: everyLog, whole, unread: [], isReading: false, failure: null });
  },
);

test('history: a node that takes no log query → says what is missing, and ends', async () => {
  const { history, requests } = historyOf(0n);
  await history.resume();
  const { logs, unread, failure } = history.state.get();
  expect([logs, unread]).toEqual([[], [{ from: deployedAt, to: head }]]);
  expect(failure).toBeInstanceOf(Error);
  expect(requests.length).toBeLessThan(60);
});

test('history: stopped → keeps what was read; resumed → complete', async () => {
  const { history } = historyOf(1_000n);
  const unsubscribe = history.state.subscribe(() => history.state.get().logs.length > 0 && history.stop());
  await history.resume();
  unsubscribe();
  const { logs, unread } = history.state.get();
  expect(logs.at(-1)).toEqual({ blockNumber: 100_000n });
  expect(unread.at(-1)?.to).toBeGreaterThan(deployedAt);
  await history.resume();
  expect(history.state.get()).toMatchObject({ logs: everyLog, unread: [] });
});

test('history: new blocks → only these and the last 64 are read', async () => {
  const { history, requests } = historyOf(1_000n);
  await history.resume();
  requests.length = 0;
  head += 500n;
  await history.refresh();
  head -= 500n;
  expect(requests).toEqual([{ from: 99_937n, to: 100_500n }]);
  expect(history.state.get()).toMatchObject({ logs: everyLog, unread: [] });
});
