import { removeAnnounced, type Store } from '@core/store';
import { openTestStore } from '@core/store/testing';
import { closeCodes, gateways, position as positionSchema, serverFrames, socketLimits } from '@core/wire';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ConnectionServer } from '../../testing/openConnection.ts';
import { writePosition, writtenPosition } from '../../testing/positionWriter.ts';
import { type ReceivedFrame, SocketClient } from '../../testing/socketClient.ts';
import { fieldOf, startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';
import { StreamJoins } from './streamJoins.ts';
import { Turnstile } from './turnstile.ts';

/** Holds what a reading of the past has found until it is opened. */
class Gate {
  #opening: PromiseWithResolvers<undefined> | null = null;
  readCount = 0;
  heldCount = 0;

  shut(): void {
    this.#opening = Promise.withResolvers();
    this.heldCount = 0;
  }

  open(): void {
    this.#opening?.resolve(undefined);
    this.#opening = null;
  }

  async pass<Result>(read: Promise<Result>): Promise<Result> {
    this.readCount += 1;
    const result = await read;
    this.heldCount += 1;
    await this.#opening?.promise;
    return result;
  }
}

const gate = new Gate();
const clients: SocketClient[] = [];
let api: TestApi;
let alice: string;
let lastNumber = 0;

beforeAll(async () => {
  const { store, close } = await openTestStore();
  const gated: Store = {
    ...store,
    readAtOnce: (work) => gate.pass(store.readAtOnce(work)),
    outbox: { ...store.outbox, lastOf: (audience) => gate.pass(store.outbox.lastOf(audience)) },
  };
  api = await startTestApi({ store: { store: gated, close }, config: { metricsPort: 0 } });
  alice = await api.userOf(wallets.alice);
});
afterEach(() => {
  gate.open();
  for (const client of clients.splice(0)) client.end();
});
afterAll(() => api.close());

function connect(gateway: keyof typeof gateways, query = ''): SocketClient {
  const base = api.api.origin.replace('http', 'ws');
  const client = new SocketClient(`${base}/v1/ws/prediction-markets${gateways[gateway].path}${query}`, {
    headers: { Authorization: alice },
  });
  clients.push(client);
  return client;
}

async function joined(): Promise<SocketClient> {
  const client = connect('user');
  await client.frame('snapshot');
  return client;
}

async function created() {
  const market = await api.store.markets.byTicker('btc-up');
  if (market === null) throw new Error('the market is listed');
  lastNumber += 1;
  const partnerId = api.partners[0]?.record.id ?? '';
  const owner = { partnerId, walletAddress: wallets.alice };
  const position = writtenPosition({ number: lastNumber, ...owner, market, status: 'open' });
  await writePosition(api.store, position, 'position.opened');
  return position;
}

const framesOf = ({ frames }: SocketClient): readonly string[] => frames.map(({ frame, type }) => type ?? frame);
const idsShownBy = (frame: ReceivedFrame | undefined): readonly unknown[] =>
  positionSchema
    .array()
    .parse(frame?.['positions'])
    .map(({ id }) => id);
const snapshotsOf = ({ frames }: SocketClient) => frames.filter(({ frame }) => frame === 'snapshot');

async function metric(name: string): Promise<number> {
  const text = await (await fetch(api.api.metricsUrl ?? '')).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  );
}

test('a reorganisation of many positions is one snapshot for each socket', async () => {
  const positions = [await created(), await created(), await created(), await created(), await created()];
  const [one, two] = [await joined(), await joined()];
  await api.store.transaction(async (unit) => {
    const keys = positions.map(({ positionKey }) => positionKey);
    await removeAnnounced(unit, keys, api.clock.nowMs());
  });
  for (const client of [one, two]) await client.until((each) => snapshotsOf(each)[1]);
  const last = await created();
  for (const client of [one, two]) {
    const [event] = await client.events(1);
    expect(fieldOf(event?.data, 'id')).toBe(last.id);
    expect(framesOf(client)).toEqual(['connected', 'snapshot', 'resync_required', 'snapshot', 'position.opened']);
    expect(idsShownBy(snapshotsOf(client)[1])).toEqual([]);
  }
});

test('a removal during a snapshot is followed by a new snapshot, and by no older one', async () => {
  const [kept, first, second] = [await created(), await created(), await created()];
  const client = await joined();
  const forget = (positionKey: string): Promise<void> =>
    api.store.transaction((unit) => removeAnnounced(unit, [positionKey], api.clock.nowMs()));
  gate.shut();
  await forget(first.positionKey);
  // The snapshot that lacks the first of them is read, and on its way.
  await expect.poll(() => gate.heldCount).toBeGreaterThan(0);
  await forget(second.positionKey);
  await writePosition(api.store, { ...kept, status: 'closing' }, 'position.close_requested');
  const other = connect('markets');
  await expect.poll(() => gate.heldCount).toBeGreaterThan(1);
  gate.open();
  await other.frame('connected');
  await client.until((each) => snapshotsOf(each)[2]);
  await writePosition(api.store, { ...kept, status: 'closed' }, 'position.closed');
  await client.until(({ eventFrames }) => eventFrames.find(({ type }) => type === 'position.closed'));
  const [, resynced, again] = snapshotsOf(client);
  expect(idsShownBy(resynced)).toEqual(expect.arrayContaining([kept.id, second.id]));
  expect(idsShownBy(again)).not.toContain(second.id);
  // The close was asked for before the last snapshot was read: it shows there, and is not announced after it.
  expect(framesOf(client)).toEqual([
    'connected',
    'snapshot',
    'resync_required',
    'snapshot',
    'resync_required',
    'snapshot',
    'position.closed',
  ]);
});

test('clients that left read nothing in their turn', async () => {
  gate.shut();
  const before = gate.readCount;
  const clients = Array.from({ length: 4 }, () => connect('user'));
  await expect.poll(() => gate.readCount).toBe(before + 4);
  const leavers = await Promise.all(Array.from({ length: 10 }, () => connect('user').opened()));
  await Promise.all(leavers.map((client) => client.frame('connected')));
  for (const client of leavers) client.end();
  await expect.poll(() => metric('api_sockets{gateway="user"}')).toBe(4);
  const last = connect('user');
  gate.open();
  await Promise.all([...clients, last].map((client) => client.frame('snapshot')));
  expect(gate.readCount).toBe(before + 5);
});

test('a full queue asks the client to reconnect later', async () => {
  const server = new ConnectionServer();
  const { client, connection } = await server.open();
  const joins = new StreamJoins({
    store: api.store,
    feed: { place: { transactionId: 0n, sequence: 0n }, recent: () => null },
    dispatch: { bodyOf: () => Promise.resolve(Buffer.of()), marketBodyOf: () => Promise.resolve(null) },
    observe: () => Promise.resolve([]),
    turnstile: new Turnstile({ places: 0, maxWaiting: 0 }),
    nowMs: () => api.clock.nowMs(),
    idNamespace: '',
    onPoison: (_item, cause) => {
      throw cause;
    },
  });
  await joins.join(connection, null);
  expect(await client.closed()).toBe(closeCodes.restart.code);
  expect(framesOf(client)).toEqual(['connected', 'restarting']);
  expect(serverFrames.restarting.safeParse(client.frames[1]).error).toBeUndefined();
  server.close();
});

test('a markets client that goes away while the last event is read leaves nothing behind', async () => {
  const before = await metric('api_event_frames_total');
  const live = connect('markets');
  await live.frame('connected');
  gate.shut();
  const leavers = await connect('markets').opened();
  await expect.poll(() => gate.heldCount).toBe(1);
  leavers.end();
  await expect.poll(() => metric('api_sockets{gateway="markets"}')).toBe(1);
  gate.open();
  const market = await api.store.markets.byTicker('btc-up');
  await api.store.markets.setDisabled(market?.id ?? '', 'force_disabled', api.clock.nowMs());
  await live.events(1);
  await expect.poll(() => metric('api_event_frames_total')).toBe(before + 1);
});

test('a markets client gets once what happens while the last event is read', async () => {
  const live = connect('markets');
  await live.frame('connected');
  gate.shut();
  const late = connect('markets');
  await expect.poll(() => gate.heldCount).toBe(1);
  const market = await api.store.markets.byTicker('eth-up');
  const change = (reason: string | null): Promise<unknown> =>
    api.store.markets.setDisabled(market?.id ?? '', reason, api.clock.nowMs());
  await change('force_disabled');
  const [seen] = await live.events(1);
  // One that comes back from there, while another event comes.
  const back = connect('markets', `?resume_from=${seen?.id}`);
  await expect.poll(() => gate.heldCount).toBe(2);
  await change(null);
  const missedEvents = await live.events(2);
  gate.open();
  await Promise.all([late.events(2), back.events(1)]);
  await change('force_disabled');
  await Promise.all([late.events(3), back.events(2), live.events(3)]);
  const idsOf = ({ eventFrames }: SocketClient): readonly unknown[] => eventFrames.map(({ id }) => id);
  expect(idsOf(late)).toEqual(idsOf(live));
  expect(idsOf(back)).toEqual(idsOf(live).slice(1));
  expect(late.frames[0]?.['last_event_id']).not.toBe(seen?.id);
  expect(back.frames[0]?.['last_event_id']).not.toBe(missedEvents[1]?.id);
});

test('a client far behind gets missed events as fast as it reads', async () => {
  const live = await joined();
  const position = await created();
  const [start] = await live.events(1);
  live.end();
  const other = connect('markets');
  await other.frame('connected');
  const count = 3_000;
  const note = 'x'.repeat(8_000);
  const params = { position_id: position.id, attempt: 1, max_attempts: 3, note };
  await api.store.outbox.append(
    Array.from({ length: count }, (_, index) => ({
      id: `evt_missed${index}`,
      type: 'notification',
      partnerId: position.partnerId,
      walletAddress: position.walletAddress,
      positionId: position.id,
      marketId: position.marketId,
      payload: { code: 'ORDER_FULFILLMENT_RETRYING', params },
      createdAtMs: api.clock.nowMs(),
    })),
  );
  // Once a later event has come, this process has all of them in its memory.
  const market = await api.store.markets.byTicker('btc-up');
  await api.store.markets.setDisabled(market?.id ?? '', null, api.clock.nowMs());
  await other.events(1);
  expect(count * note.length).toBeGreaterThan(20 * socketLimits.waitingBytes);
  const back = connect('user', `?resume_from=${start?.id}`);
  // More than the operating system takes, while the client looks elsewhere for a moment.
  await back.opened();
  back.socket.pause();
  for (let call = 0; call < 50; call += 1) await api.call('/markets', { authorization: alice });
  back.socket.resume();
  const missedEvents = await back.events(count);
  expect(missedEvents.map(({ seq }) => seq)).toEqual(missedEvents.map((_, index) => index + 1));
  expect(back.closeCode).toBeNull();
}, 60_000);
