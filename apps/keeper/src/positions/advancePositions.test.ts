import { setTimeout as delay } from 'node:timers/promises';
import type { Position, PositionStatus } from '@core/position';
import { samplePosition } from '@core/position/testing';
import { marketShareOf } from '@core/runtime';
import type { Lease, PositionStore } from '@core/store';
import pino from 'pino';
import { expect, test } from 'vitest';
import type { DueDebt, DueReason } from '../liquidation/dueDebts.ts';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { Wake } from '../runner/wake.ts';
import { advanceDueTask, advancePositionsTask } from './advancePositions.ts';
import { DuePositions, type Pause } from './duePositions.ts';
import { PositionDriver } from './positionDriver.ts';

const lease: Lease = {
  name: 'keeper:effects',
  fenceToken: 1n,
  signal: new AbortController().signal,
  release: () => Promise.resolve(),
};

/** Default end of a step. */
const nothingMore: Pause = { reason: 'nothing_due', durationMs: 0, isAlert: false };

/** Positions in memory, and a list of their steps; a step ends when the test resolves it. */
function worldOf(statuses: readonly PositionStatus[]) {
  const records = statuses.map((status, index): Position => ({ ...samplePosition(index + 1), status }));
  const byKey = new Map<string, Position>(records.map((record) => [record.positionKey, record]));
  const steps: string[] = [];
  const pauses = new Map<string, Pause>();
  /** Remaining steps of each position that do something. */
  const actions = new Map<string, number>();
  const reasons = new Map<string, DueReason>();
  /** Steps that wait for the test; null while steps end at once. */
  let pendingSteps: Map<string, () => void> | null = null;
  const running = new Set<string>();
  let isHeld = true;
  const positions = {
    statuses: (of: Parameters<PositionStore['statuses']>[0]) =>
      Promise.resolve(
        records.filter(({ positionKey, status }) =>
          'statuses' in of ? of.statuses.includes(status) : of.positionKeys.includes(positionKey),
        ),
      ),
  };
  const debts = {
    due: () => [...reasons.keys()].flatMap((positionKey) => debts.dueOf(positionKey) ?? []),
    dueOf: (positionKey: string): DueDebt | null => {
      const reason = reasons.get(positionKey);
      return reason === undefined ? null : { positionKey, reason, sinceMs: null };
    },
  };
  const due = new DuePositions({ positions: { ...positions, unlisted: () => Promise.resolve([]) }, debts });
  const driver = new PositionDriver({
    step: {
      run: async (positionKey, { isFirst }) => {
        const record = byKey.get(positionKey);
        if (record === undefined || !due.needsStep(record, isFirst)) return 'idle';
        expect(running.has(positionKey)).toBe(false);
        running.add(positionKey);
        steps.push(positionKey);
        await new Promise<void>((resolve) =>
          pendingSteps === null ? setTimeout(resolve, 1) : pendingSteps.set(positionKey, resolve),
        );
        running.delete(positionKey);
        const remaining = actions.get(positionKey) ?? 0;
        actions.set(positionKey, remaining - 1);
        return remaining > 0 ? 'advanced' : (pauses.get(positionKey) ?? nothingMore);
      },
    },
    due,
    leaseOf: () => (isHeld ? lease : null),
    logger: pino({ level: 'silent' }),
    metrics: createKeeperMetrics(),
  });
  const wake = new Wake();
  const polled = advancePositionsTask({ due, driver });
  const woken = advanceDueTask({ due, driver, wake });
  const keys = records.map(({ positionKey }) => positionKey);
  const isBusy = (): boolean => pendingSteps === null && running.size > 0;
  const idle = async (): Promise<void> => {
    await delay(6);
    while (isBusy()) await delay(2);
  };
  return {
    keys,
    due: reasons,
    actions,
    pauses,
    wake,
    polled,
    woken,
    driver,
    share: (isOurs: boolean) => {
      isHeld = isOurs;
    },
    hold: () => {
      pendingSteps = new Map();
    },
    end: async (positionKey: string) => {
      pendingSteps?.get(positionKey)?.();
      await idle();
    },
    /** Steps started since the last call, in order. */
    async take() {
      await idle();
      return steps.splice(0);
    },
  };
}

const five = worldOf(['pending', 'open', 'closing', 'closed', 'settling']);
const [pending, open, closing, closed, settling] = five.keys as [string, string, string, string, string];

test('the poll advances positions by status, closes first, and skips waiting ones', async () => {
  await five.polled.run(lease);
  expect(await five.take()).toEqual([closing, pending, settling]);
  five.pauses.set(closing, { reason: 'sale_below_debt', durationMs: 60_000, isAlert: false });
  await five.polled.run(lease);
  await five.take();
  await five.polled.run(lease);
  expect(await five.take()).toEqual([pending, settling]);
});

test('a wake advances exactly its positions, waiting or not; open ones only when they are due', async () => {
  five.wake.call([closing, open, closed]);
  await five.woken.run(lease);
  expect(await five.take()).toEqual([closing]);
  five.due.set(open, 'unwind');
  five.wake.call([open]);
  await five.woken.run(lease);
  expect(await five.take()).toEqual([open]);
});

test('a position that stays due is advanced in each round, unless it waits', async () => {
  await five.woken.run(lease);
  expect(await five.take()).toEqual([open]);
  five.pauses.set(open, { reason: 'book_too_thin', durationMs: 60_000, isAlert: false });
  await five.woken.run(lease);
  await five.take();
  await five.woken.run(lease);
  expect(await five.take()).toEqual([]);
  five.wake.call([open]);
  await five.woken.run(lease);
  expect(await five.take()).toEqual([open]);
});

test('a position runs one step at a time, and another when it was enqueued during that step', async () => {
  const one = worldOf(['pending']);
  const [only] = one.keys as [string];
  one.hold();
  for (const task of [one.polled, one.polled, one.polled]) await task.run(lease);
  expect(await one.take()).toEqual([only]);
  await one.end(only);
  expect(await one.take()).toEqual([only]);
  await one.end(only);
  expect(await one.take()).toEqual([]);
});

test('a step that ends in a wait is followed by another after a wake during it, and after no poll', async () => {
  const one = worldOf(['pending']);
  const [only] = one.keys as [string];
  one.pauses.set(only, { reason: 'order_alive', durationMs: 60_000, isAlert: false });
  one.hold();
  for (const task of [one.polled, one.polled]) await task.run(lease);
  expect(await one.take()).toEqual([only]);
  await one.end(only);
  expect(await one.take()).toEqual([]);
  one.wake.call([only]);
  await one.woken.run(lease);
  expect(await one.take()).toEqual([only]);
  one.wake.call([only]);
  for (const task of [one.woken, one.polled]) await task.run(lease);
  await one.end(only);
  expect(await one.take()).toEqual([only]);
  await one.end(only);
});

test('a due debt never waits behind closes, however many or slow they are', async () => {
  const busy = worldOf([...Array.from({ length: 1_000 }, () => 'closing' as const), 'open', 'open', 'open']);
  const [unwound, exited, liquidated] = busy.keys.slice(-3) as [string, string, string];
  busy.hold();
  await busy.polled.run(lease);
  const closes = await busy.take();
  expect(closes.length).toBe(8);
  busy.due.set(unwound, 'unwind').set(exited, 'hard_exit').set(liquidated, 'liquidation');
  busy.wake.call([unwound, exited, liquidated]);
  await busy.woken.run(lease);
  expect(await busy.take()).toEqual([liquidated, exited, unwound]);
  // While one of them is sold closes end, and begin in one place only, in the order in which they came.
  for (const closing of closes.slice(0, 7)) await busy.end(closing);
  expect(await busy.take()).toEqual([]);
  await busy.end(closes[7] ?? '');
  expect(await busy.take()).toEqual([busy.keys[8]]);
  // The venue matches and settles between two steps of a sale: soon after the last of them all places are theirs again.
  for (const sold of [unwound, exited, liquidated]) await busy.end(sold);
  busy.due.clear();
  await busy.polled.run(lease);
  expect(await busy.take()).toEqual([]);
  await delay(600);
  await busy.polled.run(lease);
  expect((await busy.take()).length).toBe(7);
});

test('a close goes one action at a time while a debt is sold', async () => {
  const two = worldOf(['closing', 'open']);
  const [closing, owing] = two.keys as [string, string];
  two.actions.set(closing, 100);
  two.due.set(owing, 'liquidation');
  two.hold();
  await two.polled.run(lease);
  two.wake.call([owing]);
  await two.woken.run(lease);
  await two.end(closing);
  expect(await two.take()).toEqual([closing, owing]);
  await two.polled.run(lease);
  expect(await two.take()).toEqual([closing]);
});

test('begun work is finished before new work begins', async () => {
  const due = worldOf(['open', 'open', 'unwinding']);
  const [first, second, begun] = due.keys as [string, string, string];
  for (const positionKey of due.keys) due.due.set(positionKey, 'hard_exit');
  due.wake.call(due.keys);
  await due.woken.run(lease);
  expect(await due.take()).toEqual([begun, first, second]);
});

test('a step continues while its actions have effects, up to its limit, and then others run', async () => {
  const one = worldOf(['pending']);
  const [only] = one.keys as [string];
  one.actions.set(only, 1);
  await one.polled.run(lease);
  expect(await one.take()).toEqual([only, only]);
  one.actions.set(only, 100);
  await one.polled.run(lease);
  expect(await one.take()).toEqual([only, only, only]);
});

test('a lost share clears its queue; a stopping process awaits running steps and starts no more', async () => {
  const many = worldOf(Array.from({ length: 20 }, () => 'closing' as const));
  many.hold();
  await many.polled.run(lease);
  const [first = '', ...others] = await many.take();
  const share = marketShareOf(samplePosition(1).marketId ?? '', 64);
  many.share(false);
  await many.end(first);
  await many.polled.run(lease);
  expect(await many.take()).toEqual([]);
  expect(many.driver.isBusyIn(share)).toBe(true);
  many.share(true);
  await many.polled.run(lease);
  expect((await many.take()).length).toBe(1);
  const stopping = many.polled.finish?.();
  const isStopped = (): Promise<boolean> => Promise.race([stopping?.then(() => true), delay(5, false)]).then(Boolean);
  for (const positionKey of others) await many.end(positionKey);
  expect(await isStopped()).toBe(false);
  for (const positionKey of many.keys) await many.end(positionKey);
  await stopping;
  expect(await many.take()).toEqual([]);
  expect(many.driver.isBusyIn(share)).toBe(false);
});
