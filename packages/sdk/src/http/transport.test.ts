import { expect, test } from 'vitest';
import { ApiError, Lev, NetworkError, RateLimitError, type SentRequest, type Token } from '../index.ts';

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client whose service answers as written and whose waits are noted instead of waited. */
function clientOf(answers: readonly (Answer | 'nothing')[]) {
  const waits: number[] = [];
  const sent: SentRequest[] = [];
  const rest = [...answers];
  const lev = new Lev({
    baseUrl: 'http://service.test/',
    apiKey: 'key',
    onRequest: (request) => sent.push(request),
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
  return { lev, waits, sent };
}

const down = { status: 500, code: 'internal_server_error' };
const create = (lev: Lev) => lev.tokens.create({ wallet_address: '0x' });

test('what passes by itself is repeated twice under one key, with growing pauses', async () => {
  const { lev, waits, sent } = clientOf([down, 'nothing', { status: 201 }]);
  expect(await create(lev)).toEqual({ token: 't' });
  expect(waits).toEqual([1_000, 2_000]);
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(sent[0]).toMatchObject({
    url: 'http://service.test/v1/prediction-markets/tokens',
    headers: { authorization: 'Api-Key key' },
  });
});

test('after two repetitions the failure is the caller’s', async () => {
  const failing = clientOf([down, down, down, { status: 201 }]);
  await expect(create(failing.lev)).rejects.toThrow(ApiError);
  expect(failing.sent).toHaveLength(3);
  const silent = clientOf(['nothing', 'nothing', 'nothing']);
  await expect(create(silent.lev)).rejects.toThrow(NetworkError);
});

test('Retry-After is obeyed, and a wait of more than a minute is left to the caller', async () => {
  const limited = { status: 429, code: 'too_many_requests' };
  const { lev, waits } = clientOf([{ ...limited, headers: { 'retry-after': '7' } }, { status: 201 }]);
  await create(lev);
  expect(waits).toEqual([7_000]);
  const long = clientOf([{ ...limited, headers: { 'retry-after': '600' } }]);
  await expect(create(long.lev)).rejects.toThrow(RateLimitError);
});

test('a refused token is replaced, twice at most, where its source can give another', async () => {
  const refused = { status: 401, code: 'unauthorized' };
  const { lev, sent } = clientOf([refused, { status: 200 }, refused, refused, refused, { status: 200 }]);
  let given = 0;
  const user = lev.asUser(async () => {
    given += 1;
    return { token: `token-${given}`, expires_at: '9999-01-01T00:00:00Z' } as Token;
  });
  await user.limits();
  expect(sent.map(({ headers }) => headers['authorization'])).toEqual(['Bearer token-1', 'Bearer token-2']);
  await expect(user.limits()).rejects.toMatchObject({ code: 'unauthorized' });
  expect(given).toBe(4);
  const fixed = clientOf([refused, { status: 200 }]);
  await expect(fixed.lev.asUser('token').limits()).rejects.toMatchObject({ code: 'unauthorized' });
});

test('a refusal is not repeated', async () => {
  const { lev, sent } = clientOf([{ status: 401, code: 'unauthorized' }, { status: 201 }]);
  await expect(create(lev)).rejects.toMatchObject({ code: 'unauthorized', retryable: false, status: 401 });
  expect(sent).toHaveLength(1);
});
