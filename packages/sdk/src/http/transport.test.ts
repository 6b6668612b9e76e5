import { expect, test } from 'vitest';
import { ApiError, Lev, NetworkError, RateLimitError, type SentRequest, type Token } from '../index.ts';

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Build a client whose service gives scripted answers and whose waits are recorded instead of spent. */
function clientOf(answers: readonly (Answer | 'nothing')[]) {
  const waits: number[] = [];
  const requests: SentRequest[] = [];
  const rest = [...answers];
  const lev = new Lev({
    baseUrl: 'http://service.test/',
    apiKey: 'key',
    onRequest: (request) => requests.push(request),
    surroundings: {
      fetch: async () => {
        const answer = rest.shift() ?? 'nothing';
        if (answer === 'nothing') throw new TypeError('fetch failed');
        const { status, code, headers } = answer;
        const body = code === undefined ? { token: 't' } : { error: { code, message: code } };
        return Response.json(body, { status, headers: { ...headers } });
      },
      sleep: async (milliseconds) => void waits.push(milliseconds),
      random: () => 0,
    },
  });
  return { lev, waits, requests };
}

const down = { status: 500, code: 'internal_server_error' };
const create = (lev: Lev) => lev.tokens.create({ wallet_address: '0x' });

test('a transient failure: repeated twice under one idempotency key, with growing pauses', async () => {
  const { lev, waits, requests } = clientOf([down, 'nothing', { status: 201 }]);
  expect(await create(lev)).toEqual({ token: 't' });
  expect(waits).toEqual([1_000, 2_000]);
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(requests[0]).toMatchObject({
    url: 'http://service.test/v1/prediction-markets/tokens',
    headers: { authorization: 'Api-Key key' },
  });
});

test('a transient failure: after two repetitions the caller gets the error', async () => {
  const failing = clientOf([down, down, down, { status: 201 }]);
  await expect(create(failing.lev)).rejects.toThrow(ApiError);
  expect(failing.requests).toHaveLength(3);
  const silent = clientOf(['nothing', 'nothing', 'nothing']);
  await expect(create(silent.lev)).rejects.toThrow(NetworkError);
});

test('Retry-After: obeyed up to a minute, a longer wait is left to the caller', async () => {
  const limited = { status: 429, code: 'too_many_requests' };
  const { lev, waits } = clientOf([{ ...limited, headers: { 'retry-after': '7' } }, { status: 201 }]);
  await create(lev);
  expect(waits).toEqual([7_000]);
  const [sent, later] = ['Thu, 01 Jan 1970 00:00:10 GMT', 'Thu, 01 Jan 1970 00:00:17 GMT'];
  const dated = clientOf([{ ...limited, headers: { 'retry-after': later, date: sent } }, { status: 201 }]);
  await create(dated.lev);
  expect(dated.waits).toEqual([7_000]);
  const long = clientOf([{ ...limited, headers: { 'retry-after': '600' } }]);
  await expect(create(long.lev)).rejects.toThrow(RateLimitError);
});

test('a refused token: replaced at most twice, when its source can return another', async () => {
  const refusal = { status: 401, code: 'unauthorized' };
  const { lev, requests } = clientOf([refusal, { status: 200 }, refusal, refusal, refusal, { status: 200 }]);
  let callCount = 0;
  const user = lev.asUser(async () => {
    callCount += 1;
    return { token: `token-${callCount}`, expires_at: '9999-01-01T00:00:00Z' } as Token;
  });
  await user.limits();
  expect(requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer token-1', 'Bearer token-2']);
  await expect(user.limits()).rejects.toMatchObject({ code: 'unauthorized' });
  expect(callCount).toBe(4);
  const fixed = clientOf([refusal, { status: 200 }]);
  await expect(fixed.lev.asUser('token').limits()).rejects.toMatchObject({ code: 'unauthorized' });
});

test('a refusal: not repeated', async () => {
  const { lev, requests } = clientOf([{ status: 401, code: 'unauthorized' }, { status: 201 }]);
  await expect(create(lev)).rejects.toMatchObject({ code: 'unauthorized', retryable: false, status: 401 });
  expect(requests).toHaveLength(1);
});
