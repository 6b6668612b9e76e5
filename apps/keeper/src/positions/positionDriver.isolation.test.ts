import type { Position } from '@core/position';
import { samplePosition } from '@core/position/testing';
import type { Lease, PositionStore } from '@core/store';
import { PoisonedItems, type PoisonKind, poisonKinds, servedBeside } from '@core/testkit';
import { VenueFault } from '@core/venue';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createKeeperMetrics, type KeeperMetrics } from '../runner/keeperMetrics.ts';
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
const nothingMore: Pause = { reason: 'nothing_due', durationMs: 0, isAlert: false };
const roundMs = 300;
const stepMs = 20;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Closing positions whose steps the items decide, and the two tasks that drive them. */
function worldOf(items: PoisonedItems, closing: ReadonlyMap<string, Position>, metrics = createKeeperMetrics()) {
  const records = [...closing.values()];
  const positions = {
    unlisted: () => Promise.resolve([]),
    statuses: (of: Parameters<PositionStore['statuses']>[0]) =>
      Promise.resolve(records.filter(({ status }) => 'statuses' in of && of.statuses.includes(status))),
  };
  const debts = { due: () => [], dueOf: () => null };
  const due = new DuePositions({ positions, debts });
  const driver = new PositionDriver({
    due,
    step: {
      run: async (positionKey) => {
        await new Promise((resolve) => setTimeout(resolve, stepMs));
        return items.serve(positionKey, () => nothingMore);
      },
    },
    leaseOf: () => lease,
    logger: pino({ level: 'silent' }),
    metrics,
  });
  const tasks = [advancePositionsTask({ due, driver }), advanceDueTask({ due, driver, wake: new Wake() })] as const;
  return { driver, tasks };
}

/** Rounds that failed, of the two tasks without which the heartbeat is silent. */
async function roundsOf({ tasks }: ReturnType<typeof worldOf>, durationMs: number): Promise<number> {
  let failedCount = 0;
  for (let elapsedMs = 0; elapsedMs < durationMs; elapsedMs += roundMs) {
    for (const task of tasks) await task.run(lease).catch(() => (failedCount += 1));
    await vi.advanceTimersByTimeAsync(roundMs);
  }
  return failedCount;
}

function closingOf(count: number): ReadonlyMap<string, Position> {
  const records = Array.from({ length: count }, (_, index) => samplePosition(index + 1));
  return new Map(records.map((record) => [record.positionKey, { ...record, status: 'closing' as const }]));
}

const valueOf = async (metric: KeeperMetrics['failingPositions']): Promise<number> =>
  (await metric.get()).values.reduce((sum, { value }) => sum + value, 0);

describe.each(poisonKinds)('driver: one position of forty %s', (kind) => {
  test('→ the others are served at their normal pace, and no round fails', async () => {
    const closing = closingOf(40);
    const options = { keys: [...closing.keys()], kind, rubbish: undefined };
    const failedCounts: number[] = [];
    const { usual, beside } = await servedBeside(options, async (items) => {
      failedCounts.push(await roundsOf(worldOf(items, closing), 60_000));
    });
    expect(failedCounts).toEqual([0, 0]);
    const slowest = Math.min(...Object.values(beside));
    expect(slowest).toBeGreaterThanOrEqual(Math.min(...Object.values(usual)));
  });

  test('→ the metrics count it as long as it lasts', async () => {
    const closing = closingOf(40);
    const metrics = createKeeperMetrics();
    const items = new PoisonedItems({ keys: [...closing.keys()], kind, rubbish: undefined });
    await roundsOf(worldOf(items, closing, metrics), 60_000);
    const expectedGauges: Readonly<Record<PoisonKind, readonly [failing: number, overdue: number]>> = {
      throws_once: [0, 0],
      throws_always: [1, 0],
      hangs: [0, 1],
      answers_rubbish: [1, 0],
    };
    expect([await valueOf(metrics.failingPositions), await valueOf(metrics.overdueSteps)]).toEqual(
      expectedGauges[kind],
    );
    expect((await metrics.positionFailures.get()).values.length).toBe(kind === 'hangs' ? 0 : 1);
  });
});

test('driver: a position keeps failing → retried at growing intervals, and at once when it is woken', async () => {
  const closing = closingOf(3);
  const items = new PoisonedItems({ keys: [...closing.keys()], kind: 'throws_always', rubbish: null });
  const world = worldOf(items, closing);
  await roundsOf(world, 60_000);
  const count = items.poisonCount;
  expect(count).toBeLessThan(15);
  world.driver.enqueue([
    { positionKey: items.poisonKey, marketId: 'mkt_1', reason: 'close', sinceMs: null, isBegun: false, isWoken: true },
  ]);
  await vi.advanceTimersByTimeAsync(2 * stepMs);
  expect(items.poisonCount).toBe(count + 1);
});

test('driver: a step hangs past its deadline → it counts as failed and is retried', async () => {
  const closing = closingOf(1);
  const metrics = createKeeperMetrics();
  const items = new PoisonedItems({ keys: [...closing.keys()], kind: 'hangs', rubbish: null });
  const failedCount = await roundsOf(worldOf(items, closing, metrics), 130_000);
  expect(failedCount).toBe(0);
  expect(items.poisonCount).toBe(2);
  expect((await metrics.positionFailures.get()).values.map(({ labels }) => labels.kind)).toEqual(['retryable']);
});

test.each([8, 40])(
  'driver: all of %i positions hang → the rounds fail, so that the heartbeat is silent',
  async (count) => {
    const closing = closingOf(count);
    const hanging = new PoisonedItems({ keys: ['none'], kind: null, rubbish: null });
    const never = new Promise<Pause>(() => undefined);
    vi.spyOn(hanging, 'serve').mockImplementation(() => never);
    expect(await roundsOf(worldOf(hanging, closing), 60_000)).toBeGreaterThan(100);
  },
);

test('driver: a process stops during a hanging step → it ends when the slot of the step is over', async () => {
  const closing = closingOf(3);
  const items = new PoisonedItems({ keys: [...closing.keys()], kind: 'hangs', rubbish: null });
  const world = worldOf(items, closing);
  await roundsOf(world, roundMs);
  let isStopped = false;
  const stopping = world.driver.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(5_000);
  await stopping;
  expect(isStopped).toBe(true);
});

test('driver: the venue sends Retry-After → only that position is skipped for the time', async () => {
  const closing = closingOf(2);
  const [throttled = '', other = ''] = closing.keys();
  const counts = new Map([...closing.keys()].map((key) => [key, 0]));
  const items = new PoisonedItems({ keys: [...closing.keys()], kind: null, rubbish: null });
  vi.spyOn(items, 'serve').mockImplementation((key) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (key === other) return Promise.resolve(nothingMore) as Promise<never>;
    const details = { code: 'venue_throttled', kind: 'retryable', effect: 'no', message: 'too many requests' } as const;
    return Promise.reject(new VenueFault({ ...details, retryAfterMs: 20_000 }));
  });
  const world = worldOf(items, closing);
  await roundsOf(world, 18_000);
  expect(counts.get(throttled)).toBe(1);
  expect(counts.get(other)).toBeGreaterThan(50);
  await roundsOf(world, 6_000);
  expect(counts.get(throttled)).toBe(2);
});
