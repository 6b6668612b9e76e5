import { HttpRequestError, RpcRequestError, TransactionRejectedRpcError } from 'viem';
import { expect, test } from 'vitest';
import { nodeRefusalOf } from './nodeRefusal.ts';

const answer = (message: string) =>
  new TransactionRejectedRpcError(
    new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_000, message } }),
  );

test.each([
  'already known',
  'nonce too low: next nonce 8, tx nonce 7',
  'Known transaction: 0x12',
  'AlreadyKnown',
  'OldNonce, Current nonce: 8',
  'replacement transaction underpriced',
  'ReplacementNotAllowed, FeePerGas needs to be higher',
])('%s → the node has it or another one of its nonce: no refusal', (message) => {
  expect(nodeRefusalOf(answer(message))).toBeNull();
});

test.each([
  'insufficient funds for gas * price + value',
  'transaction underpriced',
  'nonce too high',
  'tx fee (2 ether) exceeds the configured cap',
])('%s → a refusal in the words of the node', (message) => expect(nodeRefusalOf(answer(message))).toBe(message));

test('a node that does not answer has refused nothing', () => {
  expect(nodeRefusalOf(new HttpRequestError({ url: 'http://node', status: 502 }))).toBeNull();
});
