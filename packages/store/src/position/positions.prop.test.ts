import { isActiveStatus, type Position, type PositionHistory, type PositionStatus } from '@core/position';
import { hashOf, sampleNowMs, samplePosition, walletOf } from '@core/position/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, sampleMarket, type TestStore } from '../../testing/index.ts';
import type { PositionListQuery } from './positions.ts';

let testStore: TestStore;
let marketIds: string[] = [];
beforeAll(async () => {
  testStore = await openTestStore();
  const listed = [sampleMarket(1), sampleMarket(2, { eventTicker: 'event-2', seriesTicker: null })];
  const { discovered } = await testStore.store.markets.sync(listed, sampleNowMs);
  marketIds = discovered.map(({ id }) => id);
});
afterAll(() => testStore.close());

const projectionOf = (position: Position): PositionHistory => ({
  position,
  transactions: [],
  unwinds: [],
  partialCloses: [],
  ledger: [],
});
const statuses: readonly PositionStatus[] = [
  'pending',
  'open',
  'unwinding',
  'closing',
  'settling',
  'closed',
  'settled',
  'liquidated',
  'cancelled',
];
const base: PositionListQuery = {
  partnerId: 'ptn_1',
  walletAddress: walletOf(0),
  sortBy: 'created_at',
  sortDirection: 'desc',
  limit: 25,
  withTotalCount: true,
};

let run = 0;
const entry = fc.record({
  market: fc.nat(1),
  status: fc.constantFrom(...statuses),
  createdSecond: fc.nat(3),
  closedSecond: fc.option(fc.nat(3), { nil: null }),
});

/** The order the specification asks for, written the slow way. */
function expectedOrder(positions: readonly Position[], query: PositionListQuery): string[] {
  const sign = query.sortDirection === 'asc' ? 1 : -1;
  const keyOf = ({ createdAtMs, closedAtMs }: Position): number =>
    query.sortBy === 'created_at' ? createdAtMs : (closedAtMs ?? sign * Number.MAX_SAFE_INTEGER);
  return positions
    .toSorted((left, right) => sign * (keyOf(left) - keyOf(right) || (left.id < right.id ? -1 : 1)))
    .map(({ id }) => id);
}

test('pages in both directions list every matching position once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 12 }),
      fc.record({
        sortBy: fc.constantFrom('created_at' as const, 'closed_at' as const),
        sortDirection: fc.constantFrom('asc' as const, 'desc' as const),
        limit: fc.integer({ min: 1, max: 5 }),
      }),
      fc.constantFrom<Partial<PositionListQuery>>(
        {},
        { state: 'active' },
        { status: 'open' },
        { ticker: 'market-2' },
        { seriesTicker: 'series-1' },
        { tokenId: '21' },
      ),
      async (entries, shape, filter) => {
        run += 1;
        const walletAddress = walletOf(run);
        const positions = entries.map((item, index) =>
          samplePosition(run * 100 + index, {
            walletAddress,
            marketId: marketIds[item.market] ?? '',
            venueTokenId: `${item.market + 1}1`,
            status: item.status,
            createdAtMs: sampleNowMs + item.createdSecond * 1_000,
            closedAtMs: item.closedSecond === null ? null : sampleNowMs + item.closedSecond * 1_000,
          }),
        );
        await Promise.all(positions.map((position) => testStore.store.positions.put(projectionOf(position))));
        const matching = positions.filter(
          ({ status, marketId }) =>
            (filter.state === undefined || isActiveStatus(status)) &&
            (filter.status === undefined || status === 'open' || status === 'unwinding') &&
            (filter.ticker === undefined || marketId === marketIds[1]) &&
            (filter.tokenId === undefined || marketId === marketIds[1]) &&
            (filter.seriesTicker === undefined || marketId === marketIds[0]),
        );
        const query = { ...base, ...shape, ...filter, walletAddress };
        const order = expectedOrder(matching, query);

        const forwards: string[] = [];
        let hasMore = true;
        while (hasMore) {
          const cursor = forwards.at(-1);
          const page = await testStore.store.positions.list({
            ...query,
            ...(cursor === undefined ? {} : { startingAfter: cursor }),
          });
          expect(page).toMatchObject({ kind: 'page', totalCount: order.length });
          const ids = page.kind === 'page' ? page.data.map(({ id }) => id) : [];
          forwards.push(...ids);
          hasMore = page.kind === 'page' && page.hasMore;
        }
        expect(forwards).toEqual(order);

        const last = order.at(-1);
        const backwards: string[] = last === undefined ? [] : [last];
        let hasEarlier = last !== undefined;
        while (hasEarlier) {
          const page = await testStore.store.positions.list({ ...query, endingBefore: backwards[0] ?? '' });
          backwards.unshift(...(page.kind === 'page' ? page.data.map(({ id }) => id) : []));
          hasEarlier = page.kind === 'page' && page.hasMore;
        }
        expect(backwards).toEqual(order);
      },
    ),
    { numRuns: 30 },
  );
});

describe('a position', () => {
  test('is read back as it was put, by its owner only', async () => {
    const { positions } = testStore.store;
    const position = samplePosition(1, { id: 'pos_own', positionKey: hashOf(900_001), marketId: marketIds[0] ?? '' });
    await positions.put(projectionOf(position));
    expect(await positions.byKey(position.positionKey)).toEqual(position);
    const owner = { id: 'pos_own', partnerId: 'ptn_1', walletAddress: walletOf(0) };
    expect(await positions.findOwn(owner)).toEqual({ ...position, marketTicker: 'market-1', marketTitle: 'Market 1' });
    expect(await positions.findOwn({ ...owner, walletAddress: walletOf(1) })).toBeNull();
    expect(await positions.findOwn({ ...owner, partnerId: 'ptn_2' })).toBeNull();
    const cursor = { ...base, walletAddress: walletOf(1), startingAfter: 'pos_own' };
    expect(await positions.list(cursor)).toEqual({ kind: 'unknown_cursor' });
  });

  test('is changed from the block of its last event', async () => {
    const { positions } = testStore.store;
    const changedAt = async (updatedBlockNumber: bigint, n: number) => {
      const position = samplePosition(n, {
        id: `pos_changed${n}`,
        positionKey: hashOf(910_000 + n),
        marketId: marketIds[0] ?? '',
        updatedBlockNumber,
      });
      await positions.put(projectionOf(position));
    };
    await changedAt(2_000_007n, 1);
    await changedAt(2_000_005n, 2);
    await changedAt(2_000_006n, 3);
    const since = async (blockNumber: bigint) => (await positions.changedSince(blockNumber)).map(({ id }) => id);
    expect(await since(2_000_005n)).toEqual(['pos_changed2', 'pos_changed3', 'pos_changed1']);
    expect(await since(2_000_007n)).toEqual(['pos_changed1']);
    expect(await since(2_000_008n)).toEqual([]);
  });

  test('is replaced whole, lists final transactions only, and stays frozen', async () => {
    const { positions, chain } = testStore.store;
    const position = samplePosition(2, { id: 'pos_whole', positionKey: hashOf(900_002), marketId: marketIds[0] ?? '' });
    const transaction = (blockNumber: bigint) => ({
      group: 'open' as const,
      transactionHash: hashOf(Number(blockNumber)),
      blockNumber,
      logIndex: 0,
      routed: true,
      exchangeTransactionHashes: [hashOf(5)],
    });
    await chain.advance({
      cursor: { chainKey: 'c', blockNumber: 9n, blockHash: hashOf(9), finalizedNumber: 8n, blockTimeMs: sampleNowMs },
      blocks: [],
      events: [],
    });
    await positions.put({
      ...projectionOf(position),
      transactions: [transaction(7n), transaction(8n), transaction(9n)],
    });
    expect(await positions.transactions(position.positionKey)).toEqual([transaction(7n), transaction(8n)]);
    expect(await positions.freeze(position.positionKey, 'unknown quote')).toBe(true);
    await positions.put({ ...projectionOf(position), transactions: [transaction(8n)] });
    expect(await positions.transactions(position.positionKey)).toEqual([transaction(8n)]);
    expect((await positions.byKey(position.positionKey))?.frozenReason).toBe('unknown quote');
    expect((await positions.inStatuses(['open'])).map(({ id }) => id)).not.toContain('pos_whole');
    expect((await positions.changedSince(0n)).map(({ id }) => id)).not.toContain('pos_whole');
    const { positionKey } = position;
    expect(await positions.statuses({ positionKeys: [positionKey] })).toEqual([]);
    expect((await positions.frozen(10)).map(({ id }) => id)).toEqual(['pos_whole']);
    expect(await positions.unfreeze(position.positionKey)).toBe(true);
    expect(await positions.unfreeze(position.positionKey)).toBe(false);
    expect(await positions.frozen(10)).toEqual([]);
    expect(await positions.statuses({ positionKeys: [positionKey] })).toEqual([
      { positionKey, status: 'open', marketId: position.marketId, venueMarketId: position.venueMarketId },
    ]);
    expect(await positions.statuses({ statuses: ['open'] })).toContainEqual({
      positionKey,
      status: 'open',
      marketId: position.marketId,
      venueMarketId: position.venueMarketId,
    });
    expect(await positions.statuses({ statuses: ['closing'] })).not.toContainEqual({ positionKey, status: 'closing' });
    // A reader that follows changes by block takes it in again: the cursor stands at block 9.
    expect((await positions.changedSince(10n)).map(({ id }) => id)).toContain('pos_whole');
    await positions.markChanged([position.positionKey], 3_000_000n);
    expect((await positions.changedSince(3_000_000n)).map(({ id }) => id)).toEqual(['pos_whole']);
    await positions.remove(position.positionKey);
    expect(await positions.byKey(position.positionKey)).toBeNull();
  });
});
