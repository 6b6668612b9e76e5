import type { MarketRecord } from '@core/market';
import { type Hex } from '@core/position';
import type { OutboxEntry } from '@core/store';
import { execute, openTestStore, type TestStore } from '@core/store/testing';
import { gateways, socketBasePath } from '@core/wire';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { writePosition, writtenPosition } from '../testing/positionWriter.ts';
import { SocketClient } from '../testing/socketClient.ts';
import { fieldOf, send, startTestApi, type TestApi } from '../testing/startTestApi.ts';

const count = 7;
/** Ways in which one row is wrong: text that is no payload, payloads of other shapes. */
const poisons = ['{"$bigint":"five"}', 'null', '{}', '[]', '{"position":{},"market":null}', '{"changed":"title"}'];

let testStore: TestStore;
let api: TestApi;
let market: MarketRecord;
let walletCount = 0;
const clients: SocketClient[] = [];

beforeAll(async () => {
  testStore = await openTestStore();
  const { store } = testStore;
  api = await startTestApi({ store: { store, close: () => Promise.resolve() }, config: { metricsPort: 0 } });
  const record = await store.markets.byTicker('btc-up');
  if (record === null) throw new Error('the market is listed');
  market = record;
});
afterEach(() => {
  for (const client of clients.splice(0)) client.end();
});
afterAll(async () => {
  await api.close();
  await testStore.close();
});

const newWallet = (): Hex => {
  walletCount += 1;
  return `0x${(0xabc0000 + walletCount).toString(16).padStart(40, '0')}`;
};

function connect(gateway: keyof typeof gateways, authorization: string, query = ''): SocketClient {
  const url = `${api.api.origin.replace('http', 'ws')}${socketBasePath}${gateways[gateway].path}${query}`;
  const client = new SocketClient(url, { headers: { Authorization: authorization } });
  clients.push(client);
  return client;
}

let lastNumber = 0;
/** Write positions of a wallet, each with an event. */
async function writePositions(walletAddress: Hex): Promise<readonly string[]> {
  const partnerId = api.partners[0]?.record.id ?? '';
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    lastNumber += 1;
    const position = writtenPosition({ number: lastNumber, partnerId, walletAddress, market, status: 'open' });
    await writePosition(api.store, position, 'position.opened');
    ids.push(position.id);
  }
  return ids;
}

/** An event of another partner's, whose transaction holds back those after it. */
const elsewhere: OutboxEntry = {
  id: '',
  type: 'notification',
  partnerId: 'ptn_other',
  walletAddress: '0x1',
  positionId: null,
  marketId: null,
  payload: { code: 'ORDER_FULFILLMENT_FAILED', params: { position_id: 'pos_other', reason: 'order_not_filled' } },
  createdAtMs: 0,
};

const unreadableCountOf = async (kind: string): Promise<number> => {
  const text = await (await fetch(api.api.metricsUrl ?? '')).text();
  return Number(new RegExp(String.raw`api_unreadable_items_total\{kind="${kind}"\} (\d+)`).exec(text)?.[1] ?? 0);
};

/** Hold all events back, write, spoil one, and let them go: the feed reads it spoilt. */
async function withPoisonEvent(walletAddress: Hex, index: number, payload: string): Promise<readonly string[]> {
  const { databaseUrl } = testStore.database;
  const writing = Promise.withResolvers<undefined>();
  const ending = Promise.withResolvers<undefined>();
  const holding = api.store.transaction(async (unit) => {
    await unit.outbox.append([{ ...elsewhere, id: `evt_held${lastNumber}` }]);
    writing.resolve(undefined);
    await ending.promise;
  });
  await writing.promise;
  const ids = await writePositions(walletAddress);
  await execute(
    databaseUrl,
    `UPDATE outbox_events SET payload = '${payload}' WHERE position_id = '${ids[index]}' AND type = 'position.opened'`,
  );
  ending.resolve(undefined);
  await holding;
  return ids;
}

const without = (ids: readonly string[], index: number): readonly string[] => ids.filter((_, place) => place !== index);
const idsOf = (client: SocketClient): readonly unknown[] => client.eventFrames.map(({ data }) => data?.['id']);

describe.each(poisons)('one event of seven holds %s', (payload) => {
  test('followers get the other six in order, clients that resume too, and it is counted', async () => {
    const walletAddress = newWallet();
    const authorization = await api.userOf(walletAddress);
    const client = connect('user', authorization);
    await client.frame('snapshot');
    const [first] = await writePositions(walletAddress);
    await client.events(count);
    const resumeFrom = client.eventFrames.at(-1)?.id ?? '';
    const before = await unreadableCountOf('event');
    const ids = await withPoisonEvent(walletAddress, poisons.indexOf(payload), payload);
    await client.events(2 * count - 1);
    expect(idsOf(client).slice(count)).toEqual(without(ids, poisons.indexOf(payload)));
    expect(await unreadableCountOf('event')).toBeGreaterThan(before);
    const resumed = connect('user', authorization, `?resume_from=${resumeFrom}`);
    await resumed.events(count - 1);
    expect(idsOf(resumed)).toEqual(without(ids, poisons.indexOf(payload)));
    expect(first).toBeDefined();
  });
});

describe('one position of seven has a time that is none', () => {
  test.each([0, 3, 6])('the one at %d: list and snapshot show the other six, and it is counted', async (index) => {
    const walletAddress = newWallet();
    const authorization = await api.userOf(walletAddress);
    const ids = await writePositions(walletAddress);
    await execute(
      testStore.database.databaseUrl,
      `UPDATE positions SET created_at = 'infinity' WHERE id = '${ids[index]}'`,
    );
    const before = await unreadableCountOf('position');
    const list = await api.call('/positions', { authorization });
    const listedPositions = fieldOf(list.body, 'data');
    const listed = Array.isArray(listedPositions)
      ? listedPositions.map((position) => String(fieldOf(position, 'id')))
      : [];
    expect([list.status, listed.toSorted()]).toEqual([200, without(ids, index).toSorted()]);
    const snapshot = await connect('user', authorization).frame('snapshot');
    const snapshotPositions = fieldOf(snapshot, 'positions');
    const sentIds = Array.isArray(snapshotPositions)
      ? snapshotPositions.map((position) => String(fieldOf(position, 'id')))
      : [];
    expect(sentIds.toSorted()).toEqual(without(ids, index).toSorted());
    expect(await unreadableCountOf('position')).toBe(before + 2);
  });
});

test.each(['{"$bigint":"x"}', '{}', '[]', '"text"'])(
  'one market of two has the record %s: the other is listed, and the service is ready',
  async (record) => {
    const authorization = await api.userOf(newWallet());
    const before = await unreadableCountOf('market');
    await execute(
      testStore.database.databaseUrl,
      `UPDATE markets SET record = '${record}', version = version + 1000000 WHERE ticker = 'eth-up'`,
    );
    await expect.poll(() => unreadableCountOf('market')).toBeGreaterThan(before);
    const list = await api.call('/markets', { authorization });
    expect([list.status, fieldOf(list.body, 'data', '0', 'ticker')]).toEqual([200, 'btc-up']);
    expect((await send(`${api.api.origin}/readyz`, {})).status).toBe(200);
  },
);
