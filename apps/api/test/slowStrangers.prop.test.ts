import type { LimitStore } from '@core/store';
import { createTestDatabase, type TestDatabase } from '@core/store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultLimits } from '../src/processLimits.ts';
import { quoteBody } from '../testing/quoteBody.ts';
import { beSlow, slownesses } from '../testing/slowStrangers.ts';
import { SocketClient } from '../testing/socketClient.ts';
import { send, startTestApi, type TestApi, wallets } from '../testing/startTestApi.ts';
import { unlimited } from '../testing/unlimited.ts';

let api: TestApi;
// Held open so that the database server outlives the services.
let database: TestDatabase;
let walletCount = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({
    limits: 'real',
    // Shorter than by default, and long enough for a neighbour's own request on a busy machine.
    config: { limits: { ...defaultLimits, headersMs: 15_000, requestMs: 15_000, bodyMs: 12_000, answerMs: 15_000 } },
  });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

/** `Bearer …` of a wallet that has not called yet. */
const newUser = (): Promise<string> => {
  walletCount += 1;
  return api.userOf(`0x${walletCount.toString(16).padStart(40, '0')}`);
};

const portOf = (one: TestApi): number => Number(new URL(one.api.origin).port);

/** The statuses a user gets: reads, a draft, readiness, and then a socket with its snapshot. */
async function answersTo(authorization: string): Promise<readonly unknown[]> {
  const reads = await Promise.all(Array.from({ length: 10 }, () => api.call('/markets', { authorization })));
  const draft = await api.call('/draft-quotes', { authorization, body: quoteBody });
  const ready = await send(`${api.api.origin}/readyz`, {});
  const url = `${api.api.origin.replace('http', 'ws')}/v1/ws/prediction-markets/customer-positions`;
  const client = await new SocketClient(url, { headers: { Authorization: authorization } }).opened();
  await client.frame('snapshot');
  client.end();
  return [...new Set(reads.map(({ status }) => status)), draft.status, ready.status];
}

describe('a slow stranger at the address of its neighbour costs only itself', () => {
  test.each(slownesses)('$name: every request of the neighbour is served', async (slowness) => {
    const [authorization, neighbour] = [await newUser(), await newUser()];
    const stranger = await beSlow(slowness, { port: portOf(api), authorization, from: '127.0.0.1' });
    expect(await answersTo(neighbour)).toEqual([200, 201, 200]);
    stranger.close();
  });
});

test('every slowness at once from another address: neighbours are served, and the connections are ended', async () => {
  const [authorization, neighbour] = [await newUser(), await newUser()];
  const target = { port: portOf(api), authorization, from: '127.0.0.7' };
  const strangers = await Promise.all(slownesses.map((slowness) => beSlow(slowness, target)));
  expect(await answersTo(neighbour)).toEqual([200, 201, 200]);
  const open = new Set(slownesses.filter(({ isEnded }) => isEnded).map(({ name }) => name));
  for (const [index, { ended }] of strangers.entries()) {
    void ended.then(() => open.delete(slownesses[index]?.name ?? ''));
  }
  await expect.poll(() => [...open], { timeout: 110_000 }).toEqual([]);
  for (const stranger of strangers) stranger.close();
});

test('an address is full of silent connections: a new one is let in, and the oldest silent one is ended', async () => {
  const small = await startTestApi({
    config: { limits: { ...defaultLimits, connections: 30, connectionsPerAddress: 20 } },
  });
  const user = await small.userOf(wallets.alice);
  const silent = slownesses.find(({ name }) => name === 'connections that send nothing');
  if (silent === undefined) throw new Error('the slowness is listed');
  const target = { port: portOf(small), authorization: user };
  const near = await beSlow({ ...silent, count: 100 }, { ...target, from: '127.0.0.1' });
  const far = await Promise.all(
    ['127.0.0.2', '127.0.0.3'].map((from) => beSlow({ ...silent, count: 100 }, { ...target, from })),
  );
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => small.call('/contract-info', { authorization: user })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  for (const stranger of [near, ...far]) stranger.close();
  await small.close();
});

test('a service that stops: slow strangers do not hold it up, and answers under way close their connection', async () => {
  const opening = Promise.withResolvers<undefined>();
  const entered = Promise.withResolvers<undefined>();
  const limits: LimitStore = {
    ...unlimited,
    consume: async (bucket, subject) => {
      entered.resolve(undefined);
      await opening.promise;
      return unlimited.consume(bucket, subject);
    },
  };
  const stopping = await startTestApi({ limits });
  const target = { port: portOf(stopping), authorization: '', from: '127.0.0.1' };
  const waiting = stopping.call('/contract-info');
  const strangers = await Promise.all(
    slownesses.filter(({ name }) => name.startsWith('headers')).map((slowness) => beSlow(slowness, target)),
  );
  await entered.promise;
  const closing = stopping.close();
  opening.resolve(undefined);
  const answer = await waiting;
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await closing;
  for (const stranger of strangers) stranger.close();
});

test('an idle connection is kept for longer than a balancer keeps its own, and as long as it is set', async () => {
  expect(defaultLimits.keepAliveMs).toBeGreaterThan(60_000);
  const answer = await api.call('/contract-info', { authorization: await newUser() });
  expect(answer.headers.get('keep-alive')).toBe(`timeout=${defaultLimits.keepAliveMs / 1_000}`);
});
