import { samplePosition } from '@core/position/testing';
import { pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../testing/index.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

test('oldest close: the first request of a position that is being sold, and none once it is sold', async () => {
  const { positions } = testStore.store;
  const put = (number: number, changes: Parameters<typeof samplePosition>[1]) =>
    positions.put({
      position: samplePosition(number, changes),
      transactions: [],
      unwinds: [],
      partialCloses: [],
      ledger: [],
    });
  expect(await positions.oldestCloseAtMs()).toBeNull();
  await put(9_101, { status: 'closing', closeRequestedAtMs: 1_700_000_060_000 });
  await put(9_102, { status: 'closing', closeRequestedAtMs: 1_700_000_000_000 });
  // Deferred until its market is settled.
  await put(9_103, { status: 'open', closeRequestedAtMs: 1_600_000_000_000 });
  const closeRequestedMinPricePips = pricePips(5_000n);
  await put(9_104, { status: 'closing', closeRequestedAtMs: 1_600_000_000_000, closeRequestedMinPricePips });
  expect(await positions.oldestCloseAtMs()).toBe(1_700_000_000_000);
  await put(9_102, { status: 'closed', chainState: 'closed', closeRequestedAtMs: 1_700_000_000_000 });
  expect(await positions.oldestCloseAtMs()).toBe(1_700_000_060_000);
});

test('crowding counts the tokens of open positions that owe, per token', async () => {
  const { positions } = testStore.store;
  const put = (number: number, changes: Parameters<typeof samplePosition>[1]) =>
    positions.put({
      position: samplePosition(number, { venueTokenId: '4711', ...changes }),
      transactions: [],
      unwinds: [],
      partialCloses: [],
      ledger: [],
    });
  await put(9_001, { tokenUnits: tokenUnits(5n) });
  await put(9_002, { tokenUnits: tokenUnits(7n) });
  await put(9_003, { tokenUnits: tokenUnits(11n), principalUsdcUnits: usdcUnits(0n) });
  await put(9_004, { tokenUnits: tokenUnits(13n), chainState: 'closed', status: 'closed' });
  expect((await positions.openTokenUnits()).get('4711')).toBe(12n);
});
