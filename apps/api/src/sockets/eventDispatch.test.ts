import { policyDefaults } from '@core/policy';
import { samplePosition } from '@core/position/testing';
import type { MarketEventRecord, OutboxRecord, PartnerRecord } from '@core/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConnectionServer } from '../../testing/openConnection.ts';
import { ListedView } from '../markets/marketBoard.ts';
import { Connections } from './connections.ts';
import { EventDispatch } from './eventDispatch.ts';

let server: ConnectionServer;
beforeEach(() => {
  server = new ConnectionServer();
});
afterEach(() => server.close());

const partner = { id: 'ptn_1' } as PartnerRecord;
const record: Exclude<OutboxRecord, MarketEventRecord> = {
  id: 'evt_1',
  type: 'position.opened',
  partnerId: partner.id,
  walletAddress: '0x1',
  positionId: 'pos_1',
  marketId: null,
  payload: { position: samplePosition(1), market: null },
  createdAtMs: 0,
  transactionId: 1n,
  sequence: 1n,
};
const marketRecord: MarketEventRecord = {
  ...record,
  id: 'evt_2',
  type: 'market.updated',
  partnerId: null,
  payload: { ticker: 'btc-up', changed: ['status'], version: 0n },
};

/** The dispatch of a process where a market shows what the given view does. */
function dispatchOf(viewNow: () => ListedView): EventDispatch {
  const fail = (cause: unknown): never => {
    throw cause;
  };
  const listed = { record: { version: 1n }, snapshot: null } as Awaited<
    ReturnType<ConstructorParameters<typeof EventDispatch>[0]['markets']['find']>
  >;
  return new EventDispatch({
    policy: policyDefaults,
    connections: new Connections(),
    markets: { remembered: () => null, find: () => Promise.resolve(listed), refresh: () => Promise.resolve() },
    board: {
      async *viewsOf() {
        yield await Promise.resolve(viewNow());
      },
    },
    partners: { byId: () => Promise.resolve(partner) },
    idNamespace: '',
    onRemoved: fail,
    onSent: () => undefined,
    onFailure: fail,
    onPoison: (_record, cause) => fail(cause),
  });
}

function viewOf(): ListedView {
  const wire = { ticker: 'btc-up', status: 'active' } as ListedView['wire'];
  return new ListedView({} as ListedView['record'], {} as ListedView['figures'], wire);
}

test('an event of a position is encoded once for all who get it, however often it is replayed', async () => {
  const dispatch = dispatchOf(viewOf);
  const body = await dispatch.bodyOf(record);
  // A later reading of the same event is another record.
  expect(await dispatch.bodyOf({ ...record })).toBe(body);
  expect(await dispatch.bodyOf({ ...record, id: 'evt_3' })).not.toBe(body);
});

test("an event of a market is encoded once for each view of it, and again when the view is another's", async () => {
  const [one, two] = [await server.open(), await server.open()];
  let view = viewOf();
  const dispatch = dispatchOf(() => view);
  const body = await dispatch.marketBodyOf(marketRecord, one.connection);
  expect(await dispatch.marketBodyOf({ ...marketRecord }, two.connection)).toBe(body);
  expect(await dispatch.marketBodyOf({ ...marketRecord, id: 'evt_4' }, two.connection)).not.toBe(body);
  view = viewOf();
  expect(await dispatch.marketBodyOf(marketRecord, one.connection)).not.toBe(body);
});
