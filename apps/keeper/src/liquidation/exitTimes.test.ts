import { policyDefaults } from '@core/policy';
import { hashOf, sampleNowMs } from '@core/position/testing';
import { fixedClock } from '@core/runtime/testing';
import type { ExitWait } from '@core/store';
import { openTestStore, type TestStore } from '@core/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { ExitTimes } from './exitTimes.ts';

let database: TestStore;
beforeAll(async () => {
  database = await openTestStore();
});
afterAll(() => database.close());

test('waiting debts raise the exit time, lower leverage and close the category, until they are repaid', async () => {
  const { exits } = database.store;
  const clock = fixedClock(sampleNowMs);
  let waits: readonly ExitWait[] = [];
  const times = new ExitTimes({
    exits,
    policy: policyDefaults,
    clock,
    metrics: createKeeperMetrics(),
  });
  const waitsOf = (count: number, durationMs: number): readonly ExitWait[] =>
    Array.from({ length: count }, () => ({ category: 'crypto', durationMs }));
  const reported = async () => {
    await times.update(waits);
    return times.reports.find(({ category }) => category === 'crypto');
  };
  for (let number = 0; number < 100; number += 1) {
    times.record({ positionKey: hashOf(number), category: 'crypto', dueAtMs: sampleNowMs, durationMs: 2_000 });
  }
  const quick = await reported();
  expect(quick).toMatchObject({ saleCount: 100, p95Ms: 2_000, isOpen: true });
  // A few stragglers are within the twentieth that may take longer.
  waits = waitsOf(4, 50_000);
  expect(await reported()).toMatchObject({ p95Ms: 2_000, isOpen: true });
  // A sale that the limit refuses again and again for six debts: slower at once, although none of them was sold.
  waits = waitsOf(6, 25_000);
  const slow = await reported();
  expect(slow).toMatchObject({ saleCount: 106, p95Ms: 25_000, isOpen: true });
  expect(slow?.exitSeconds).toBeGreaterThanOrEqual(quick?.exitSeconds ?? 0);
  waits = waitsOf(6, 31_000);
  expect(await reported()).toMatchObject({ p95Ms: 31_000, isOpen: false });
  // Their prices recovered: nothing was sold, and nothing is kept of the wait.
  waits = [];
  expect(await reported()).toMatchObject({ saleCount: 100, p95Ms: 2_000, isOpen: true });
});
