import { HttpRequestError, InvalidParamsRpcError, RpcRequestError, TimeoutError } from 'viem';
import { expect, test } from 'vitest';
import { logFailureOf } from './logFailure.ts';

const refusal = (code: number, message: string) =>
  new RpcRequestError({ body: {}, url: 'http://node', error: { code, message } });
const status = (code: number, details = '') => new HttpRequestError({ url: 'http://node', status: code, details });

test.each([
  ['query returned more than 10000 results', -32_005],
  ['eth_getLogs is limited to a 10,000 range', -32_602],
  ['Log response size exceeded. this block range should work: [0x0, 0x5]', -32_000],
  ['Under the free plan of this API key, requests may have up to a 10 block range', -32_600],
  ['exceed maximum block range: 5000, see the rate limits', -32_000],
  ['zu viele Blöcke', -32_614],
])('%s → too large, at any depth', (message, code) => {
  expect(logFailureOf(refusal(code, message))).toBe('tooLarge');
  expect(logFailureOf(new InvalidParamsRpcError(refusal(code, message)))).toBe('tooLarge');
});

test.each([
  'daily request count exceeded, rate limited',
  'Too many requests',
  'Your app has exceeded its compute units per second capacity',
])('%s → busy', (message) => expect(logFailureOf(refusal(-32_005, message))).toBe('busy'));

test.each([
  [status(400), 'tooLarge'],
  [status(413, 'payload'), 'tooLarge'],
  [status(403, 'ranges over 10000 blocks need a paid plan'), 'tooLarge'],
  [status(403, 'forbidden'), 'busy'],
  [status(429), 'busy'],
  [status(500, 'block range is above 1000'), 'tooLarge'],
  [status(500), 'fault'],
  [status(504), 'fault'],
  [new TimeoutError({ body: {}, url: 'http://node' }), 'fault'],
  [new TypeError('Failed to fetch'), 'fault'],
])('%s → %s', (error, failure) => expect(logFailureOf(error)).toBe(failure));
