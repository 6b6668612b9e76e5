import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Lev, type Token } from '../src/index.ts';
import { offlineUser, openPosition, recordedQuote, recordingWallet } from '../testing/offlineService.ts';

/** Servers that accept a request and never finish the response. */
const slowAnswers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/silent': () => undefined,
  '/headers': (response) => response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
  '/drip': (response) => {
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  },
};

const server = createServer((request, response) => {
  const [, answer] = Object.entries(slowAnswers).find(([path]) => request.url?.startsWith(path)) ?? [];
  answer?.(response);
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Deadlines that pass as soon as a request had the time to reach the server. */
const surroundings = { deadline: () => AbortSignal.timeout(60), sleep: async () => undefined };
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

test.each(Object.keys(slowAnswers))(
  'a service that never ends its answer (%s) → a typed error on every call',
  async (path) => {
    const lev = new Lev({ baseUrl: `${url}${path}`, apiKey: 'key', surroundings });
    const me = lev.asUser('token');
    const calls = [
      () => lev.contractInfo(),
      () => lev.tokens.create({ wallet_address: recordedQuote.authority_public_key }),
      () => me.markets.list().firstPage(),
      () => me.quotes.promote('draft'),
      () => me.positions.byKey(openPosition.on_chain_position_key),
      () => me.positions.claim(openPosition, { wallet: recordingWallet() }),
    ];
    const outcomes = await Promise.allSettled(calls.map(async (call) => call()));
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(
      calls.map(() => 'network_failed'),
    );
  },
);

test.each(Object.keys(slowAnswers))(
  'a node that never ends its answer (%s) → a typed error on every reading',
  async (path) => {
    const chain = `${url}${path}`;
    const me = offlineUser({}, { chain, surroundings });
    const calls = [
      () => me.positions.debt(openPosition),
      () => me.positions.byTransaction(`0x${'11'.repeat(32)}`),
      () => me.preflight(recordedQuote, { account: recordedQuote.authority_public_key }),
    ];
    const outcomes = await Promise.allSettled(calls.map((call) => call()));
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(
      calls.map(() => 'network_failed'),
    );
  },
);

test('a wallet that never answers a read → a typed error, nothing is signed', async () => {
  for (const method of ['eth_chainId', 'eth_estimateGas']) {
    const wallet = recordingWallet({ [method]: never });
    const claim = offlineUser({}, { surroundings }).positions.claim(openPosition, { wallet });
    await expect(claim).rejects.toMatchObject({ code: 'network_failed' });
    expect(wallet.sent).toEqual([]);
  }
});

test('a token source that never answers → a typed error', async () => {
  const me = new Lev({ baseUrl: url, surroundings }).asUser(() => never<Token>());
  await expect(me.limits()).rejects.toMatchObject({ code: 'network_failed' });
});

test('a request listener that throws → reported, and the request is sent', async () => {
  const reports: unknown[] = [];
  const failure = new Error('the log is full');
  const me = offlineUser(
    {},
    {
      onRequest: () => {
        throw failure;
      },
      surroundings: { report: (cause) => void reports.push(cause) },
    },
  );
  expect(await me.positions.byKey(openPosition.on_chain_position_key)).toMatchObject({ id: openPosition.id });
  expect(reports).toEqual([failure]);
});
