import { hashOf, sampleNowMs } from '@core/position/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore } from '../../testing/openTestStore.ts';
import type { Store } from '../openStore.ts';

let testStore: Awaited<ReturnType<typeof openTestStore>>;
let store: Store;
beforeAll(async () => {
  testStore = await openTestStore();
  ({ store } = testStore);
});
afterAll(() => testStore.close());

const saleOf = (number: number, durationMs: number, changes: object = {}) => ({
  positionKey: hashOf(number),
  category: 'crypto',
  dueAtMs: sampleNowMs + number,
  durationMs,
  ...changes,
});

test('stores each sale once, summarises a window by category, deletes older ones', async () => {
  const { exits } = store;
  expect(await exits.summaries(0, [])).toEqual([]);
  await exits.add([]);
  // A hundred sales of 1 to 100 ms in any order: five of them exceed 95.
  await exits.add(Array.from({ length: 100 }, (_, index) => saleOf(index, ((index * 37) % 100) + 1)));
  await exits.add([saleOf(7, 9_999), saleOf(500, 3_000.4, { category: 'sport', dueAtMs: sampleNowMs - 10 })]);
  expect(await exits.summaries(sampleNowMs - 10, [])).toEqual([
    { category: 'crypto', saleCount: 100, p95Ms: 95 },
    { category: 'sport', saleCount: 1, p95Ms: 3_000 },
  ]);
  expect(await exits.summaries(sampleNowMs, [])).toMatchObject([{ category: 'crypto', saleCount: 100 }]);
  // Short waits say nothing; long ones do, from the twentieth on that may exceed.
  const waits = (count: number, durationMs: number, category = 'crypto') =>
    Array.from({ length: count }, () => ({ category, durationMs }));
  expect(await exits.summaries(sampleNowMs, waits(50, 94.6))).toMatchObject([{ saleCount: 100, p95Ms: 95 }]);
  expect(await exits.summaries(sampleNowMs, waits(5, 60_000))).toMatchObject([{ saleCount: 105, p95Ms: 100 }]);
  expect(await exits.summaries(sampleNowMs, [...waits(12, 60_000), ...waits(1, 9, 'sport')])).toEqual([
    { category: 'crypto', saleCount: 112, p95Ms: 60_000 },
    { category: 'sport', saleCount: 1, p95Ms: 9 },
  ]);
  expect(await exits.removeOlderThan(sampleNowMs + 99, 60)).toBe(60);
  expect(await exits.removeOlderThan(sampleNowMs + 99, 60)).toBeLessThan(60);
  expect(await exits.summaries(0, [])).toMatchObject([{ category: 'crypto', saleCount: 1 }]);
});

test('a category has one exit time, the latest that was decided', async () => {
  const { exits } = store;
  expect(await exits.times()).toEqual([]);
  const first = { category: 'crypto', exitSeconds: 60, changedAtMs: sampleNowMs };
  const next = { ...first, exitSeconds: 80, changedAtMs: sampleNowMs + 5 };
  await exits.setTime(first);
  await exits.setTime(next);
  expect(await exits.times()).toEqual([next]);
});
