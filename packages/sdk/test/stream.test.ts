import { startTestApi, type TestApi, wallets, writePosition, writtenPosition } from '@core/api/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconnectPauseMs } from '../src/events/eventStream.ts';
import { AuthenticationError, Lev, type LevUser } from '../src/index.ts';
import { expectedNumbers, readThroughCuts } from '../testing/readThroughCuts.ts';

let api: TestApi;
let lev: Lev;

beforeAll(async () => {
  api = await startTestApi();
  lev = new Lev({ baseUrl: api.api.url, apiKey: api.partners[0]?.apiKey ?? '' });
});
afterAll(async () => {
  await api?.close();
});

const userOf = (client: Lev): LevUser =>
  client.asUser(() => lev.tokens.create({ wallet_address: wallets.alice }).then((token) => ({ ...token })));

async function position(number: number) {
  const [market] = await api.store.markets.changedSince(0n);
  if (market === undefined) throw new Error('markets are listed');
  const partnerId = api.partners[0]?.record.id ?? '';
  return writtenPosition({ number, partnerId, walletAddress: wallets.alice, market, status: 'open' });
}

test('stream: fifty cut connections → no event is missing or repeated, all arrive in order', async () => {
  const stream = await readThroughCuts(50);
  expect(stream.cutCount).toBeGreaterThanOrEqual(50);
  expect(stream.received.length).toBeGreaterThan(0);
  expect(stream.received).toEqual(expectedNumbers(stream));
});

test('a stream resumes after an event of an earlier one, and an unknown event is a gap', async () => {
  const written = await position(2);
  const earlier = userOf(lev).events.stream();
  for await (const event of earlier) {
    if (event.type === 'snapshot') await writePosition(api.store, written, 'position.opened');
    if (event.type === 'position.opened') break;
  }
  await writePosition(api.store, written, 'position.updated');
  for await (const event of userOf(lev).events.stream({ after: earlier.lastEventId ?? '' })) {
    expect(event).toMatchObject({ type: 'position.updated', data: { id: expect.stringContaining('pos_') } });
    break;
  }
  const kinds: string[] = [];
  for await (const event of userOf(lev).events.stream({ after: 'evt_00000000000000000000000000' })) {
    kinds.push(event.type === 'gap' ? event.reason : event.type);
    if (event.type === 'snapshot') break;
  }
  expect(kinds).toEqual(['unknown_event', 'snapshot']);
});

test('a partner receives all its positions, and a refused credential ends the stream', async () => {
  for await (const event of lev.events.stream()) {
    expect(event.type).toBe('snapshot');
    break;
  }
  const stranger = new Lev({ baseUrl: api.api.url }).asUser('not.a.token');
  const readEvents = async (): Promise<void> => {
    for await (const event of stranger.events.stream()) throw new Error(`received ${event.type}`);
  };
  await expect(readEvents()).rejects.toThrow(AuthenticationError);
});

test('an expiring token is renewed on the open connection', async () => {
  const own = await startTestApi();
  const apiKey = own.partners[0]?.apiKey ?? '';
  let connectionCount = 0;
  class CountedSocket extends WebSocket {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given);
      connectionCount += 1;
    }
  }
  const surroundings = {
    nowMs: () => own.clock.nowMs(),
    monotonicMs: () => own.clock.nowMs(),
    WebSocket: CountedSocket,
  };
  const client = new Lev({ baseUrl: own.api.url, apiKey, surroundings });
  let tokenCount = 0;
  const me = client.asUser(() => {
    tokenCount += 1;
    return client.tokens.create({ wallet_address: wallets.alice });
  });
  const [market] = await own.store.markets.changedSince(0n);
  if (market === undefined) throw new Error('markets are listed');
  const partnerId = own.partners[0]?.record.id ?? '';
  const thirdPosition = writtenPosition({ number: 3, partnerId, walletAddress: wallets.alice, market, status: 'open' });
  const events = me.events.stream()[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ type: 'snapshot' });
  own.clock.advanceMs(3_600_000 - 59_000);
  await expect.poll(() => tokenCount).toBe(2);
  // The first token has expired; the connection continues with the second.
  own.clock.advanceMs(120_000);
  await writePosition(own.store, thirdPosition, 'position.opened');
  expect((await events.next()).value).toMatchObject({ type: 'position.opened' });
  await events.return();
  expect([tokenCount, connectionCount]).toEqual([2, 1]);
  await own.close();
});

test('pauses are between a quarter of a second and thirty, and grow', () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    expect(reconnectPauseMs(attempt, 0, () => 0)).toBe(250);
    expect(reconnectPauseMs(attempt, 0, () => 0.999_999)).toBeLessThanOrEqual(30_000);
  }
  expect(reconnectPauseMs(10, 0, () => 0.999_999)).toBeGreaterThan(29_999);
  expect(reconnectPauseMs(0, 1_500, () => 0)).toBe(1_500);
});
