import { createServer } from 'node:http';
import { assert, asyncProperty, constantFrom, integer, pre, record, uniqueArray } from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Listening, listen } from './listen.ts';
import { rpcTransport } from './rpcTransport.ts';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null ends the connection. */
  readonly body: unknown;
}

type Answers = readonly object[];

const answerTo = ({ id, params: [value] }: Asked): object => ({ jsonrpc: '2.0', id, result: value });
const errorOf = (id: number | null, message: string, code = -32_000): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** Node of a test: `replyTo` answers each request, and `sizes` has the number of calls of each. */
let replyTo: (calls: readonly Asked[]) => Reply;
let sizes: number[] = [];
let times = new Map<unknown, number>();
let listening: Listening;
let nodeCount = 0;

beforeAll(async () => {
  const server = createServer((request, response) => {
    let question = '';
    request.on('data', (piece: Buffer) => {
      question += String(piece);
    });
    request.on('end', () => {
      const body: unknown = JSON.parse(question);
      const calls = [body].flat() as Asked[];
      sizes.push(calls.length);
      for (const { params } of calls) times.set(params[0], (times.get(params[0]) ?? 0) + 1);
      const reply = replyTo(calls);
      if (reply.body === null) return response.destroy();
      const answer: unknown = Array.isArray(body) || !Array.isArray(reply.body) ? reply.body : reply.body[0];
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return response.writeHead(reply.status ?? 200, reply.headers ?? {}).end(text);
    });
  });
  listening = await listen(server, { port: 0 });
});
afterAll(() => listening.close());
beforeEach(() => {
  sizes = [];
  times = new Map();
});

/** Return a caller of a node that no test asked before: a path of its own. */
function newCaller(retryCount = 0) {
  nodeCount += 1;
  const rpcUrl = `${listening.url}/${nodeCount}`;
  const transport = rpcTransport({ rpcUrl, timeoutMs: 5_000, isBatched: true, retryCount })({});
  return (values: readonly unknown[], method = 'test_echo'): Promise<readonly PromiseSettledResult<unknown>[]> =>
    Promise.allSettled(values.map((value) => transport.request({ method, params: [value] } as never)));
}

const valuesOf = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const fulfilled = (values: readonly unknown[]) => values.map((value) => ({ status: 'fulfilled', value }));

/** Refusals of a batch of more than `limit` calls, in the words and forms of providers. */
const refusals: Readonly<Record<string, (calls: readonly Asked[], limit: number) => Reply>> = {
  'one object': (_, limit) => ({ body: errorOf(null, `no more than ${limit} calls in a batch`) }),
  'one object in other words': () => ({ body: errorOf(null, 'zu viele auf einmal', -32_600) }),
  'an error for each call': (calls, limit) => ({
    body: calls.map(({ id }) => errorOf(id, `Batch size too large, at most ${limit}`, -32_600)),
  }),
  'an error for each call without the word': (calls) => ({
    body: calls.map(({ id }) => errorOf(id, 'request too large')),
  }),
  'an error for the first call': ([first]) => ({ body: [errorOf(first?.id ?? 0, 'batch too large', -32_600)] }),
  'an error without a number': () => ({ body: [errorOf(null, 'batch too large', -32_600)] }),
  'a limit of calls': () => ({ body: errorOf(null, 'Number of requests in batch exceeds max batch size', -32_005) }),
  'invalid parameters': (_, limit) => ({ body: errorOf(null, `batch limit ${limit} exceeded`, -32_602) }),
  'status 413 in text': () => ({ status: 413, body: 'Payload Too Large' }),
  'status 413 in JSON': () => ({ status: 413, body: errorOf(null, 'too many RPC calls in batch request', -32_014) }),
  'status 400 in text': () => ({ status: 400, body: 'bad request' }),
  'status 400 in JSON of another form': () => ({ status: 400, body: { message: 'invalid', success: false } }),
  'status 429 that names the batch': () => ({ status: 429, body: 'too many calls in one request' }),
  'status 429 with a pause that names the batch': () => ({
    status: 429,
    headers: { 'retry-after': '60' },
    body: errorOf(null, 'batch size limit exceeded', 429),
  }),
  'status 403 in HTML': () => ({ status: 403, body: '<html>403 Forbidden</html>' }),
  'status 403 in JSON': () => ({ status: 403, body: errorOf(null, 'batch requests are not in your plan') }),
  'status 500 without a body': () => ({ status: 500, body: '' }),
  'status 500 in JSON': () => ({
    status: 500,
    body: errorOf(null, 'Batch of more than 3 is for holders of an API key'),
  }),
  'an empty list': () => ({ body: [] }),
  'no JSON': () => ({ body: '<html>too much</html>' }),
  'JSON that is cut': () => ({ body: '[{"jsonrpc":"2.0","id":0,"resu' }),
  'the first answers only': (calls, limit) => ({ body: calls.slice(0, limit).map(answerTo) }),
  'the first answers, then errors': (calls, limit) => ({
    body: calls.map((call, index) =>
      index < limit ? answerTo(call) : errorOf(call.id, 'response too large', -32_003),
    ),
  }),
  'the end of the connection': () => ({ body: null }),
};

/** Refusals with answers to some calls: the property knows no bad call among those. */
const partlyAnswered = new Set([refusals['the first answers only'], refusals['the first answers, then errors']]);

describe.each(Object.entries(refusals))('batch: %s above the limit', (_name, refuse) => {
  test.each([1, 20, 100])('of %i → each call has its answer, and the size is kept', async (limit) => {
    replyTo = (calls) => (calls.length > limit ? refuse(calls, limit) : { body: calls.map(answerTo) });
    const ask = newCaller();
    const values = valuesOf(130);
    expect(await ask(values)).toEqual(fulfilled(values));
    sizes = [];
    expect(await ask(values)).toEqual(fulfilled(values));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limit);
    expect(sizes.length).toBeLessThanOrEqual(Math.ceil((130 / limit) * 2));
  });
});

test('batch: an answer above a number of bytes is refused → each call has its answer', async () => {
  const limitBytes = 1_000_000;
  replyTo = (calls) => {
    const body = calls.map(answerTo);
    const isTooLarge = JSON.stringify(body).length > limitBytes && calls.length > 1;
    return isTooLarge ? { body: errorOf(null, 'response too large', -32_003) } : { body };
  };
  const ask = newCaller();
  const values = valuesOf(60).map((value) => `${value}`.padEnd(50_000, 'x'));
  expect(await ask(values)).toEqual(fulfilled(values));
  sizes = [];
  expect(await ask(values)).toEqual(fulfilled(values));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
});

const orders: Readonly<Record<string, (answers: Answers) => Answers>> = {
  'in order': (answers) => answers,
  'in the opposite order': (answers) => answers.toReversed(),
  'with numbers as texts': (answers) => answers.map((answer) => ({ ...answer, id: String(Reflect.get(answer, 'id')) })),
  twice: (answers) => [...answers, ...answers],
};

/** Answers of a node to a batch with a bad call: to that call alone, or to all. */
const badCalls: Readonly<Record<string, (call: Asked) => Reply | object>> = {
  'reverts alone': ({ id }) => errorOf(id, 'execution reverted', 3),
  'has invalid parameters': ({ id }) => errorOf(id, 'invalid argument 0', -32_602),
  'is no request': ({ id }) => errorOf(id, 'invalid request', -32_600),
  'refuses all as a revert': ({ id }) => ({ body: errorOf(id, 'execution reverted', 3) }),
  'refuses all by a status': () => ({ status: 400, body: errorOf(null, 'invalid argument 0', -32_602) }),
  'fails all by a status': () => ({ status: 500, body: 'internal error' }),
};

test('batch: whatever the limit, the refusal, the order and the bad calls → the bad ones fail, the others do not', async () => {
  await assert(
    asyncProperty(
      record({
        count: integer({ min: 1, max: 150 }),
        limit: constantFrom(1, 2, 7, 20, 100, 1_000),
        refuse: constantFrom(...Object.values(refusals)),
        order: constantFrom(...Object.values(orders)),
        bad: constantFrom(...Object.values(badCalls)),
        badValues: uniqueArray(integer({ min: 0, max: 149 }), { maxLength: 3 }),
      }),
      async ({ count, limit, refuse, order, bad, badValues }) => {
        const isBad = ({ params: [value] }: Asked): boolean => badValues.includes(Number(value));
        pre(badValues.length === 0 || !partlyAnswered.has(refuse));
        replyTo = (calls) => {
          if (calls.length > limit) return refuse(calls, limit);
          const answers = calls.map((call) => (isBad(call) ? bad(call) : answerTo(call)));
          const whole = answers.find((answer) => 'body' in answer);
          return whole ?? { body: order(answers) };
        };
        times = new Map();
        const ask = newCaller();
        const values = valuesOf(count);
        const results = await ask(values);
        const statuses = values.map((value) => (badValues.includes(value) ? 'rejected' : 'fulfilled'));
        expect(results.map(({ status }) => status)).toEqual(statuses);
        const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
        expect(answers).toEqual(values.filter((value) => !badValues.includes(value)));
      },
    ),
    { numRuns: 100 },
  );
}, 60_000);

test.each(Object.entries(badCalls))(
  'batch: a bad call that %s → it fails, and batches stay large',
  async (_name, bad) => {
    replyTo = (calls) => {
      const badCall = calls.find(({ params: [value] }) => value === 5);
      const answer = badCall === undefined ? null : bad(badCall);
      if (answer !== null && 'body' in answer) return { ...answer, body: answer.body };
      return { body: calls.map((call) => (call === badCall && answer !== null ? answer : answerTo(call))) };
    };
    const ask = newCaller();
    for (const count of [2, 17, 130]) {
      const results = await ask(valuesOf(5 + count).slice(5));
      expect(results.filter(({ status }) => status === 'rejected').length).toBe(1);
    }
    sizes = [];
    const others = valuesOf(200).slice(6);
    expect(await ask(others)).toEqual(fulfilled(others));
    expect(sizes).toEqual([194]);
  },
);

test.each<[string, Reply]>([
  ['429 with a pause', { status: 429, headers: { 'retry-after': '1' }, body: 'too many requests' }],
  ['429', { status: 429, body: 'slow down' }],
  ['a throttle in JSON', { body: errorOf(null, 'request rate limited', -32_005) }],
  ['a throttle that speaks of calls', { status: 429, headers: { 'retry-after': '1' }, body: 'too many calls' }],
  ['no gateway', { status: 502, body: '<html>bad gateway</html>' }],
  ['an unknown caller', { status: 401, body: '{"message":"invalid project id"}' }],
])('batch: %s → all calls fail after one request, and batches stay large', async (_name, refusal) => {
  let isRefusing = true;
  replyTo = (calls) => (isRefusing ? refusal : { body: calls.map(answerTo) });
  const ask = newCaller();
  const values = valuesOf(130);
  expect((await ask(values)).every(({ status }) => status === 'rejected')).toBe(true);
  expect(sizes).toEqual([130]);
  isRefusing = false;
  const hasAnswers = async (): Promise<boolean> => (await ask(values)).every(({ status }) => status === 'fulfilled');
  await expect.poll(hasAnswers, { timeout: 10_000 }).toBe(true);
  expect(new Set(sizes)).toEqual(new Set([130]));
});

test('batch: a throttle that ends → the caller repeats it, and every call has its answer', async () => {
  let refusalsLeft = 2;
  replyTo = (calls) => {
    refusalsLeft -= 1;
    return refusalsLeft < 0 ? { body: calls.map(answerTo) } : { status: 429, body: 'slow down' };
  };
  expect(await newCaller(5)(valuesOf(130))).toEqual(fulfilled(valuesOf(130)));
});

test('batch: a node that refuses every size → all calls fail after a few requests', async () => {
  replyTo = () => ({ status: 500, body: 'internal error' });
  const ask = newCaller();
  expect((await ask(valuesOf(1_000))).every(({ status }) => status === 'rejected')).toBe(true);
  expect(sizes.length).toBeLessThan(20);
  replyTo = (calls) => ({ body: calls.map(answerTo) });
  sizes = [];
  await ask(valuesOf(1_000));
  expect(sizes).toEqual([1_000]);
});

test('batch: a call that a node leaves out → it is sent again by itself, and fails if that has no answer', async () => {
  replyTo = (calls) => ({ body: calls.filter(({ params: [value] }) => value !== 7).map(answerTo) });
  const results = await newCaller()(valuesOf(30));
  expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7]);
  expect([times.get(6), times.get(7), times.get(8)]).toEqual([1, 2, 1]);
});

test('batch: a transaction is sent once, by itself, however small the batches are', async () => {
  replyTo = (calls) => (calls.length > 3 ? { status: 413, body: 'too large' } : { body: calls.map(answerTo) });
  const ask = newCaller();
  const hash = `0x${'1'.repeat(64)}`;
  const [, [sent]] = await Promise.all([ask(valuesOf(50)), ask([hash], 'eth_sendRawTransaction')]);
  expect(sent).toEqual({ status: 'fulfilled', value: hash });
  expect(times.get(hash)).toBe(1);
});
