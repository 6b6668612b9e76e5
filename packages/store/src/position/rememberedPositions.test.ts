import { sampleNowMs, samplePosition, walletOf } from '@core/position/testing';
import { tokenUnits } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, sampleMarket, type TestStore } from '../../testing/index.ts';
import type { ListedPosition, PositionListQuery } from './positions.ts';

let testStore: TestStore;
let marketId = '';
beforeAll(async () => {
  testStore = await openTestStore();
  const { discovered } = await testStore.store.markets.sync([sampleMarket(1)], sampleNowMs);
  marketId = discovered[0]?.id ?? '';
  for (const number of [1, 2, 3]) await put(number);
});
afterAll(() => testStore.close());

const put = (number: number, changes: Partial<ListedPosition> = {}): Promise<void> =>
  testStore.store.positions.put({
    position: samplePosition(number, { marketId, createdAtMs: sampleNowMs + number, ...changes }),
    transactions: [],
    unwinds: [],
    partialCloses: [],
    ledger: [],
  });

const query: PositionListQuery = {
  partnerId: 'ptn_1',
  walletAddress: walletOf(0),
  state: 'active',
  sortBy: 'created_at',
  sortDirection: 'asc',
  limit: 25,
  withTotalCount: false,
};

async function listed(changes: Partial<PositionListQuery> = {}): Promise<readonly ListedPosition[]> {
  const page = await testStore.store.positions.list({ ...query, ...changes });
  return page.kind === 'page' ? page.data : [];
}

test('an unchanged record is the same object on every page; a changed one is read again', async () => {
  const first = await listed();
  expect(first.map(({ id }) => id)).toEqual([1, 2, 3].map((number) => samplePosition(number).id));
  const again = await listed({ sortDirection: 'desc' });
  expect(again.toReversed().every((position, index) => position === first[index])).toBe(true);

  // Changed by a fold, which leaves the block of the last event as it is.
  await put(2, { tokenUnits: tokenUnits(1n) });
  const changed = await listed();
  expect(changed.map((position, index) => position === first[index])).toEqual([true, false, true]);
  expect(changed[1]?.tokenUnits).toBe(1n);

  await testStore.store.positions.freeze(samplePosition(3).positionKey, 'projection_failed');
  expect((await listed())[2]?.frozenReason).toBe('projection_failed');

  await put(1, { status: 'closed', chainState: 'closed', closedAtMs: sampleNowMs });
  expect((await listed()).map(({ id }) => id)).toEqual([2, 3].map((number) => samplePosition(number).id));
});

test('a change of the listed market changes the version of a row', async () => {
  const before = await listed();
  expect(await listed()).toEqual(before);
  await testStore.store.markets.sync([sampleMarket(1, { title: 'Another title' })], sampleNowMs);
  const after = await listed();
  expect(after.map(({ marketTitle }) => marketTitle)).toEqual(before.map(() => 'Another title'));
});

test('a position that the chain forgot and has again is read again', async () => {
  const { positionKey } = samplePosition(2);
  await testStore.store.positions.remove(positionKey);
  await put(2, { tokenUnits: tokenUnits(7n) });
  expect((await listed())[0]?.tokenUnits).toBe(7n);
});
