import { expect, test } from 'vitest';
import { rpcOf } from './rpc.ts';

/** Build a node that gives one answer to every request. */
const nodeOf = (body: string, status = 200) =>
  rpcOf('http://node.test', {
    fetch: async () => new Response(body, { status }),
    deadline: () => new AbortController().signal,
  });

test('an answer with `error: null` beside its result → the result', async () => {
  const answer = { jsonrpc: '2.0', id: 1, result: '0x7a69', error: null };
  expect(await nodeOf(JSON.stringify(answer))('eth_chainId', [])).toBe('0x7a69');
  expect(await nodeOf('{"result":null}')('eth_getTransactionReceipt', [])).toBe(null);
});

test.each([
  ['a page of a proxy', '<html>502 Bad Gateway</html>', 502],
  ['nothing', '', 200],
  ['no object', '7', 200],
  ['neither result nor error', '{"jsonrpc":"2.0","id":1}', 200],
  ['an error without a code', '{"error":"quota"}', 429],
])('an answer that is %s → network_failed with the address and the method', async (_name, body, status) => {
  const failure: unknown = await nodeOf(body, status)('eth_chainId', []).catch((cause: unknown) => cause);
  expect(failure).toMatchObject({ code: 'network_failed', retryable: true });
  expect(String(failure)).toMatch(/http:\/\/node\.test .*eth_chainId/);
});

test('an answer that refuses → RpcError with the message and the revert data', async () => {
  const error = { code: 3, message: 'execution reverted', data: { data: '0x1234' } };
  await expect(nodeOf(JSON.stringify({ error }))('eth_call', [])).rejects.toMatchObject({
    name: 'RpcError',
    message: 'execution reverted',
    data: '0x1234',
  });
});

test('a reader that times out by itself → network_failed, no refusal', async () => {
  const request = async (): Promise<never> => {
    throw new DOMException('too late', 'TimeoutError');
  };
  const ask = rpcOf({ request }, { fetch, deadline: () => new AbortController().signal });
  await expect(ask('eth_chainId', [])).rejects.toMatchObject({ code: 'network_failed' });
});
