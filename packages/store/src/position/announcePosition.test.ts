import type { MarketRecord } from '@core/market';
import { isShownChange, type Position } from '@core/position';
import { hashOf, sampleNowMs, samplePosition } from '@core/position/testing';
import { tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { announcedPosition, openTestStore, sampleMarket, settledEvents, type TestStore } from '../../testing/index.ts';
import type { OutboxEntry, OutboxRecord, PositionEventType } from '../outbox/outbox.ts';
import { putAnnounced, removeAnnounced } from './announcePosition.ts';
import { positionPayloadOf } from './positionEntry.ts';

let testStore: TestStore;
let market: MarketRecord;
beforeAll(async () => {
  testStore = await openTestStore();
  await testStore.store.markets.sync([sampleMarket(1)], sampleNowMs);
  const record = await testStore.store.markets.byTicker('market-1');
  if (record === null) throw new Error('the market is listed');
  market = record;
});
afterAll(() => testStore.close());

const history = (position: Position) => ({ position, transactions: [], unwinds: [], partialCloses: [], ledger: [] });
const named = (id: string, type: PositionEventType, position: Position): OutboxEntry => ({
  id: `evt_${id}`,
  type,
  partnerId: position.partnerId,
  walletAddress: position.walletAddress,
  positionId: position.id,
  marketId: market.id,
  payload: positionPayloadOf(position, market),
  createdAtMs: sampleNowMs,
});
const put = (position: Position, entries: readonly OutboxEntry[] = [], also?: PositionEventType): Promise<void> =>
  testStore.store.transaction((unit) =>
    putAnnounced(
      unit,
      [{ history: history(position), market, entries, ...(also !== undefined && { also }) }],
      sampleNowMs,
    ),
  );
const eventsOf = async (position: Position): Promise<readonly OutboxRecord[]> => {
  const records = await settledEvents(testStore.store.outbox);
  return records.filter(({ positionId }) => positionId === position.id);
};
const typesOf = async (position: Position): Promise<readonly string[]> =>
  (await eventsOf(position)).map(({ type }) => type);
const positionOf = (number: number, changes: Partial<Position> = {}): Position =>
  samplePosition(number, { partnerId: 'ptn_1', marketId: market.id, ...changes });

test('announces a change that no event names as an update', async () => {
  const created = positionOf(1, { status: 'pending' });
  const open = { ...created, status: 'open' as const };
  const unwinding = { ...open, status: 'unwinding' as const };
  await put(open, [named('1a', 'position.created', created), named('1b', 'position.opened', open)]);
  await put(unwinding);
  await put(unwinding);
  expect(await typesOf(open)).toEqual(['position.created', 'position.opened', 'position.updated']);
  const [last] = (await eventsOf(open)).slice(-1);
  expect(last?.payload).toEqual({
    position: unwinding,
    market: {
      ticker: market.ticker,
      title: market.title,
      status: 'active',
      closeTimeMs: market.closeTimeMs,
      payoutNumerators: [],
      payoutDenominator: null,
    },
  });
});

test('a change that no client can see writes no event', async () => {
  const open = positionOf(2, { status: 'open' });
  await put(open, [named('2', 'position.opened', open)]);
  await put({ ...open, updatedBlockNumber: open.updatedBlockNumber + 9n, frozenReason: 'unknown_quote' });
  await put({ ...open, livePurpose: 'open', liveOrderHash: hashOf(9) });
  expect(await typesOf(open)).toEqual(['position.opened']);
});

test('announces every reorganisation, although event ids repeat', async () => {
  const pending = positionOf(3, { status: 'pending' });
  const open = { ...pending, status: 'open' as const };
  await put(pending, [named('3a', 'position.created', pending)]);
  await put(open, [named('3b', 'position.opened', open)]);
  await put(pending);
  await put(open, [named('3b', 'position.opened', open)]);
  expect(await typesOf(open)).toEqual(['position.created', 'position.opened', 'position.updated', 'position.updated']);
  expect((await eventsOf(open)).map(announcedPosition).at(-1)?.status).toBe('open');
  await testStore.store.transaction((unit) => removeAnnounced(unit, [open.positionKey], sampleNowMs));
  expect((await typesOf(open)).at(-1)).toBe('position.removed');
});

test('announces a change beside the record by its type', async () => {
  const open = positionOf(4, { status: 'open' });
  await put(open, [named('4', 'position.opened', open)]);
  await put({ ...open, status: 'settling' }, [], 'position.settlement_state_changed');
  await put({ ...open, status: 'settling' }, [], 'position.settlement_state_changed');
  expect(await typesOf(open)).toEqual([
    'position.opened',
    'position.settlement_state_changed',
    'position.settlement_state_changed',
  ]);
});

test('announces each status of a market once to its unfinished positions', async () => {
  const { store } = testStore;
  await store.markets.sync([sampleMarket(7, { closeTimeMs: sampleNowMs - 1_000 })], sampleNowMs);
  const own = await store.markets.byTicker('market-7');
  const id = own?.id ?? '';
  const active = positionOf(10, { status: 'open', marketId: id });
  const finished = positionOf(11, { status: 'closed', marketId: id });
  const unowned = positionOf(12, { status: 'open', marketId: id, partnerId: null });
  for (const position of [active, finished, unowned]) await put(position);
  const before = (await eventsOf(active)).length;
  await store.markets.moveStatus(id, 'closed', sampleNowMs);
  await store.markets.moveStatus(id, 'closed', sampleNowMs);
  const closedAtMs = own?.closeTimeMs ?? 0;
  const query = { closedBeforeMs: closedAtMs, except: [], limit: 10 };
  expect(await store.markets.unannounced({ ...query, closedBeforeMs: closedAtMs - 1 })).toEqual([]);
  expect(await store.markets.unannounced({ ...query, except: [id] })).toEqual([]);
  expect(await store.markets.unannounced(query)).toEqual([id]);
  expect(await store.markets.announceUnresolved(id, sampleNowMs)).toBe(true);
  expect(await store.markets.unannounced(query)).toEqual([]);
  expect(await store.markets.announceUnresolved(id, sampleNowMs)).toBe(false);
  const announced = (await eventsOf(active)).slice(before);
  const statusOf = ({ payload }: OutboxRecord) =>
    payload !== null && 'market' in payload ? payload.market?.status : null;
  expect(announced.map((record) => [record.type, statusOf(record)])).toEqual([
    ['position.settlement_state_changed', 'closed'],
    ['position.settlement_state_changed', 'closed'],
  ]);
  expect(await typesOf(finished)).toEqual(['position.updated']);
  expect(await typesOf(unowned)).toEqual([]);
});

test('positions that are put or removed together have the rows and events of each', async () => {
  const { store } = testStore;
  const transaction = (number: number) => ({
    group: 'open' as const,
    transactionHash: hashOf(number),
    blockNumber: 7n,
    logIndex: number,
    routed: true,
    exchangeTransactionHashes: [],
  });
  const both = [20, 21].map((number) => ({
    history: { ...history(positionOf(number)), transactions: [transaction(number)] },
    market,
    entries: [named(`together_${number}`, 'position.opened', positionOf(number))],
  }));
  for (let round = 0; round < 2; round += 1) {
    await store.transaction((unit) => putAnnounced(unit, both, sampleNowMs));
  }
  const at = { chainKey: 'c', blockNumber: 9n, blockHash: hashOf(9), finalizedNumber: 8n, blockTimeMs: sampleNowMs };
  await store.chain.advance({ cursor: at, blocks: [], events: [] });
  for (const { history: own } of both) {
    const { position, transactions } = own;
    expect(await typesOf(position)).toEqual(['position.opened']);
    expect(await store.positions.transactions(position.positionKey)).toEqual(transactions);
  }
  const keys = both.map((one) => one.history.position.positionKey);
  await store.transaction((unit) => removeAnnounced(unit, keys, sampleNowMs));
  expect(await store.positions.byKeys(keys)).toEqual([]);
  for (const one of both) {
    expect(await typesOf(one.history.position)).toEqual(['position.opened', 'position.removed']);
    expect(await store.positions.transactions(one.history.position.positionKey)).toEqual([]);
  }
});

test('the last event always carries the stored position', async () => {
  const statuses = ['open', 'unwinding', 'closing', 'settling'] as const;
  const step = fc.record({
    status: fc.constantFrom(...statuses),
    units: fc.integer({ min: 1, max: 3 }),
    principal: fc.integer({ min: 0, max: 2 }),
    event: fc.integer({ min: -3, max: 3 }),
  });
  let number = 100;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      number += 1;
      let last = positionOf(number);
      for (const { status, units, principal, event } of steps) {
        last = {
          ...last,
          status,
          tokenUnits: tokenUnits(BigInt(units)),
          principalUsdcUnits: usdcUnits(BigInt(principal)),
        };
        // A negative number is no event; a repeated one was written before and says nothing.
        await put(last, event < 0 ? [] : [named(`law_${number}_${event}`, 'position.opened', last)]);
      }
      const announced = (await eventsOf(last)).map(announcedPosition).at(-1);
      expect(announced && isShownChange(announced, last)).toBe(false);
    }),
    { numRuns: 25 },
  );
});
