import { samplePosition } from '@core/position/testing';
import type { PositionStore } from '@core/store';
import { expect, test } from 'vitest';
import type { DueDebt } from '../liquidation/dueDebts.ts';
import { DuePositions } from './duePositions.ts';

const debt: DueDebt = { positionKey: '0xdue', reason: 'hard_exit', sinceMs: 7 };
const row = { status: 'open', marketId: 'mkt_1', venueMarketId: '0x1' } as const;
const rows = [
  { ...row, positionKey: '0xdue' },
  { ...row, positionKey: '0xcovered' },
  { ...row, positionKey: '0xclosing', status: 'closing' },
  { ...row, positionKey: '0xunlisted', marketId: null },
  { ...row, positionKey: '0xended', status: 'closed' },
] as const;

function dueAt(clock: { nowMs: number }): DuePositions {
  const dueOf = (positionKey: string) => (positionKey === debt.positionKey ? debt : null);
  const positions = {
    statuses: async (of: Parameters<PositionStore['statuses']>[0]) =>
      rows.filter(({ positionKey, status }) =>
        'statuses' in of ? of.statuses.includes(status) : of.positionKeys.includes(positionKey),
      ),
    unlisted: async () => rows.filter(({ marketId }) => marketId === null),
  };
  return new DuePositions({ positions, debts: { due: () => [debt], dueOf }, now: () => clock.nowMs });
}

test('a due position has a reason, the time since it is due, and its market', async () => {
  const due = dueAt({ nowMs: 0 });
  const keys = rows.map(({ positionKey }) => positionKey);
  expect(await due.ofWake(keys)).toEqual([
    { positionKey: '0xdue', marketId: 'mkt_1', reason: 'hard_exit', sinceMs: 7, isBegun: false, isWoken: true },
    { positionKey: '0xclosing', marketId: 'mkt_1', reason: 'close', sinceMs: null, isBegun: true, isWoken: true },
    { positionKey: '0xunlisted', marketId: '0x1', reason: 'settle', sinceMs: null, isBegun: false, isWoken: true },
  ]);
  expect((await due.ofUnlisted()).map(({ positionKey }) => positionKey)).toEqual(['0xunlisted']);
});

test('a position is skipped during its wait, and a reason is new once until it changes', async () => {
  const clock = { nowMs: 0 };
  const due = dueAt(clock);
  const pauseOf = (reason: string) => ({ reason, durationMs: 5_000, isAlert: false });
  expect(due.recordWait('0xclosing', pauseOf('sale_below_debt'))).toBe(true);
  expect(due.recordWait('0xdue', pauseOf('book_too_thin'))).toBe(true);
  expect([await due.ofStatuses(), await due.ofWake([])]).toEqual([[], []]);
  // A wake does not wait.
  expect((await due.ofWake(['0xclosing'])).map(({ positionKey }) => positionKey)).toEqual(['0xclosing']);
  clock.nowMs = 5_000;
  expect([(await due.ofStatuses()).length, (await due.ofWake([])).length]).toEqual([1, 1]);
  expect(due.recordWait('0xclosing', pauseOf('sale_below_debt'))).toBe(false);
  expect(due.recordWait('0xclosing', pauseOf('book_too_thin'))).toBe(true);
  expect(due.recordWait('0xclosing', null)).toBe(false);
  expect(due.isWaiting('0xclosing')).toBe(false);
});

test('a failing position waits for longer each time, until a step succeeds', () => {
  const clock = { nowMs: 0 };
  const due = dueAt(clock);
  expect([due.recordFailure('0xclosing', 0), due.isWaiting('0xclosing'), due.failingCount]).toEqual([1, true, 1]);
  clock.nowMs = 300;
  expect(due.isWaiting('0xclosing')).toBe(false);
  expect(due.recordFailure('0xclosing', 60_000)).toBe(2);
  clock.nowMs = 60_000;
  expect(due.isWaiting('0xclosing')).toBe(true);
  due.recordSuccess('0xclosing');
  expect([due.isWaiting('0xclosing'), due.failingCount]).toEqual([false, 0]);
});

test('a record needs a step by status, or by a due debt before the first one', () => {
  const due = dueAt({ nowMs: 0 });
  const open = samplePosition(1, { status: 'open', marketId: 'mkt_1' });
  expect(due.needsStep(open, true)).toBe(false);
  expect(due.needsStep(open, false)).toBe(true);
  expect(due.needsStep({ ...open, positionKey: '0xdue' }, true)).toBe(true);
  expect(due.needsStep({ ...open, marketId: null }, true)).toBe(true);
  expect(due.needsStep({ ...open, status: 'closing' }, true)).toBe(true);
  expect(due.needsStep({ ...open, status: 'closing', frozenReason: 'projection_failed' }, true)).toBe(false);
});
