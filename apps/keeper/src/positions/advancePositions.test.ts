import { setTimeout as delay } from 'node:timers/promises';
import type { Position, PositionStatus } from '@core/position';
import { samplePosition } from '@core/position/testing';
import { marketShareOf } from '@core/runtime';
import type { Lease, MarketRecord, PositionStore } from '@core/store';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { Wake } from '../runner/wake.ts';
import type { Pause } from './advancePosition.ts';
import { advanceDueTask, advancePositionsTask } from './advancePositions.ts';
import { PositionDriver } from './positionDriver.ts';
import type { Urgency } from './workQueue.ts';

const lease: Lease = {
  name: 'keeper:effects',
  fenceToken: 1n,
  signal: new AbortController().signal,
  release: () => Promise.resolve(),
};
const market = { id: 'mkt_1' } as MarketRecord;

/** The usual end of a step. */
const nothingMore: Pause = { reason: 'nothing_due', durationMs: 0, isAlert: false };

/** Positions in memory, and a list of those that were taken forward; a step ends when the test lets it. */
function worldOf(statuses: readonly PositionStatus[]) {
  const records = statuses.map((status, index): Position => ({ ...samplePosition(index + 1), status }));
  const byKey = new Map(records.map((record) => [record.positionKey, record]));
  const started: string[] = [];
  const pauses = new Map<string, Pause>();
  /** Looks of each that still do something. */
  const actions = new Map<string, number>();
  const due = new Map<string, Urgency>();
  /** Steps that wait for the test; null while steps end at once. */
  let held: Map<string, () => void> | null = null;
  const running = new Set<string>();
  let isHeld = true;
  const positions = {
    byKey: (positionKey: string) => Promise.resolve(byKey.get(positionKey) ?? null),
    statuses: (of: Parameters<PositionStore['statuses']>[0]) =>
      Promise.resolve(
        records.filter(({ positionKey, status }) =>
          'statuses' in of ? of.statuses.includes(status) : of.positionKeys.includes(positionKey),
        ),
      ),
  };
  const dueBy = (positionKey: string): Urgency | null => due.get(positionKey) ?? null;
  const driver = new PositionDriver({
    advance: async ({ positionKey }) => {
      expect(running.has(positionKey)).toBe(false);
      running.add(positionKey);
      started.push(positionKey);
      await new Promise<void>((resolve) => (held === null ? setTimeout(resolve, 1) : held.set(positionKey, resolve)));
      running.delete(positionKey);
      const left = actions.get(positionKey) ?? 0;
      actions.set(positionKey, left - 1);
      return left > 0 ? null : (pauses.get(positionKey) ?? nothingMore);
    },
    positions,
    markets: { byId: () => Promise.resolve(market) },
    leaseOf: () => (isHeld ? lease : null),
    isDue: (positionKey) => dueBy(positionKey) !== null,
    logger: pino({ level: 'silent' }),
    metrics: createKeeperMetrics(),
  });
  const wake = new Wake();
  const driving = { positions, driver, dueBy };
  const polled = advancePositionsTask(driving);
  const woken = advanceDueTask({ ...driving, wake, dueNow: () => [...due.keys()] });
  const keys = records.map(({ positionKey }) => positionKey);
  const isBusy = (): boolean => held === null && running.size > 0;
  const settled = async (): Promise<void> => {
    await delay(6);
    while (isBusy()) await delay(2);
  };
  return {
    keys,
    due,
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
      held = new Map();
    },
    end: async (positionKey: string) => {
      held?.get(positionKey)?.();
      await settled();
    },
    /** What was started since the last call, in that order. */
    async take() {
      await settled();
      return started.splice(0);
    },
  };
}

const five = worldOf(['pending', 'open', 'closing', 'closed', 'settling']);
const [pending, open, closing, closed, settling] = five.keys as [string, string, string, string, string];

test('the poll takes what its status makes busy, closes first, and leaves alone what waits', async () => {
  await five.polled.run(lease);
  expect(await five.take()).toEqual([closing, pending, settling]);
  five.pauses.set(closing, { reason: 'sale_below_debt', durationMs: 60_000, isAlert: false });
  await five.polled.run(lease);
  await five.take();
  await five.polled.run(lease);
  expect(await five.take()).toEqual([pending, settling]);
});

test('a wake takes exactly the positions it names, waiting or not; open ones only when they are due', async () => {
  five.wake.call([closing, open, closed]);
  await five.woken.run(lease);
  expect(await five.take()).toEqual([closing]);
  five.due.set(open, 'unwind');
  five.wake.call([open]);
  await five.woken.run(lease);
  expect(await five.take()).toEqual([open]);
});

test('what stays due is looked at again at each round, unless it waits', async () => {
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

test('a position is taken forward by one step at a time, and again when it was asked for meanwhile', async () => {
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

test('a debt that is due never stands behind closes, however many there are and however slow they are', async () => {
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

test('a step that fails is reported at the next round and stops no other', async () => {
  const two = worldOf(['pending', 'pending']);
  const [first, second] = two.keys as [string, string];
  two.pauses.get = (positionKey) => {
    if (positionKey === first) throw new Error('no answer');
    return undefined;
  };
  await two.polled.run(lease);
  expect(await two.take()).toEqual([first, second]);
  await expect(two.polled.run(lease)).rejects.toThrow(AggregateError);
  await two.take();
});

test('what was begun is ended before more is begun', async () => {
  const due = worldOf(['open', 'open', 'unwinding']);
  const [first, second, begun] = due.keys as [string, string, string];
  for (const positionKey of due.keys) due.due.set(positionKey, 'hard_exit');
  due.wake.call(due.keys);
  await due.woken.run(lease);
  expect(await due.take()).toEqual([begun, first, second]);
});

test('a step goes on as long as something is done, and then others have their turn', async () => {
  const one = worldOf(['pending']);
  const [only] = one.keys as [string];
  one.actions.set(only, 1);
  await one.polled.run(lease);
  expect(await one.take()).toEqual([only, only]);
  one.actions.set(only, 100);
  await one.polled.run(lease);
  expect(await one.take()).toEqual([only, only, only]);
});

test('a share that is lost ends its line; a process that stops waits for what is under way and starts no more', async () => {
  const many = worldOf(Array.from({ length: 20 }, () => 'closing' as const));
  many.hold();
  await many.polled.run(lease);
  const [first = '', ...others] = await many.take();
  const share = marketShareOf(samplePosition(1).marketId ?? '');
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
