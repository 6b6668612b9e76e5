import { notify, startTestApi, type TestApi, wallets, writePosition, writtenPosition } from '@core/api/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconnectPauseMs } from '../src/events/eventStream.ts';
import { AuthenticationError, Lev, type LevUser } from '../src/index.ts';
import { type CuttingProxy, startCuttingProxy } from '../testing/cuttingProxy.ts';

const cutsWanted = 1_000;

let api: TestApi;
let proxy: CuttingProxy;
/** Speaks through the proxy; waits no time between attempts. */
let cut: Lev;
let lev: Lev;

/** A fixed stream of pseudo-random numbers below one. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

beforeAll(async () => {
  api = await startTestApi({ isEveryHandshakeTaken: true });
  const random = randomOf(11);
  const port = Number(new URL(api.api.url).port);
  proxy = await startCuttingProxy(port, () => 150 + Math.floor(random() * 12_000));
  const apiKey = api.partners[0]?.apiKey ?? '';
  const sleep = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1));
  cut = new Lev({ baseUrl: proxy.url, surroundings: { sleep } });
  lev = new Lev({ baseUrl: api.api.url, apiKey });
});
afterAll(async () => {
  await proxy?.close();
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

test('a thousand cuts: no event is missed, none comes twice, all come in order', async () => {
  const written = await position(1);
  await writePosition(api.store, written, 'position.created');
  const controller = new AbortController();
  let writtenCount = 0;
  const write = async (): Promise<void> => {
    while (proxy.cutCount() < cutsWanted) {
      writtenCount += 1;
      const params = { attempt: writtenCount, max_attempts: writtenCount };
      await notify(api.store, written, { code: 'ORDER_FULFILLMENT_RETRYING', ...params });
    }
    proxy.stopCutting();
    await notify(api.store, written, { code: 'ORDER_FULFILLMENT_FAILED', reason: 'order_not_filled' });
  };
  const received: number[] = [];
  const read = async (): Promise<void> => {
    for await (const event of userOf(cut).events.stream({ signal: controller.signal })) {
      if (event.type === 'gap') throw new Error(`a gap: ${event.reason}`);
      if (event.type !== 'notification') continue;
      if (event.data.code === 'ORDER_FULFILLMENT_FAILED') return;
      if (event.data.code === 'ORDER_FULFILLMENT_RETRYING') received.push(event.data.params.attempt);
    }
  };
  // The reader is there before the first event that counts: its snapshot says from where on.
  await Promise.all([read(), write()]);
  controller.abort();
  expect(proxy.cutCount()).toBeGreaterThanOrEqual(cutsWanted);
  expect(received.length).toBeGreaterThan(0);
  const first = received[0] ?? 0;
  expect(received).toEqual(Array.from({ length: writtenCount - first + 1 }, (_, index) => first + index));
});

test('a stream goes on after an event of an earlier one, and a place that is gone is a gap', async () => {
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

test('a partner hears of all its positions, and a refused credential ends the stream', async () => {
  for await (const event of lev.events.stream()) {
    expect(event.type).toBe('snapshot');
    break;
  }
  const stranger = new Lev({ baseUrl: api.api.url }).asUser('not.a.token');
  const read = async (): Promise<void> => {
    for await (const event of stranger.events.stream()) throw new Error(`received ${event.type}`);
  };
  await expect(read()).rejects.toThrow(AuthenticationError);
});

test('a token that runs out is renewed on the open connection', async () => {
  const own = await startTestApi();
  const apiKey = own.partners[0]?.apiKey ?? '';
  let connectionCount = 0;
  class CountedSocket extends WebSocket {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given);
      connectionCount += 1;
    }
  }
  const surroundings = { nowMs: () => own.clock.nowMs(), WebSocket: CountedSocket };
  const client = new Lev({ baseUrl: own.api.url, apiKey, surroundings });
  let tokenCount = 0;
  const me = client.asUser(() => {
    tokenCount += 1;
    return client.tokens.create({ wallet_address: wallets.alice });
  });
  const [market] = await own.store.markets.changedSince(0n);
  if (market === undefined) throw new Error('markets are listed');
  const partnerId = own.partners[0]?.record.id ?? '';
  const held = writtenPosition({ number: 3, partnerId, walletAddress: wallets.alice, market, status: 'open' });
  const events = me.events.stream()[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ type: 'snapshot' });
  own.clock.advanceMs(3_600_000 - 59_000);
  await expect.poll(() => tokenCount).toBe(2);
  // The first token is over; the connection goes on with the second.
  own.clock.advanceMs(120_000);
  await writePosition(own.store, held, 'position.opened');
  expect((await events.next()).value).toMatchObject({ type: 'position.opened' });
  await events.return();
  expect([tokenCount, connectionCount]).toEqual([2, 1]);
  await own.close();
});

test('pauses lie between a quarter of a second and thirty, and grow', () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    expect(reconnectPauseMs(attempt, 0, () => 0)).toBe(250);
    expect(reconnectPauseMs(attempt, 0, () => 0.999_999)).toBeLessThanOrEqual(30_000);
  }
  expect(reconnectPauseMs(10, 0, () => 0.999_999)).toBeGreaterThan(29_999);
  expect(reconnectPauseMs(0, 1_500, () => 0)).toBe(1_500);
});
