import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@core/runtime';
import type { Lease } from '@core/store';
import * as fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createKeeperMetrics } from './keeperMetrics.ts';
import { startLoop } from './loop.ts';
import { locks, type Task } from './task.ts';

const logger = pino({ level: 'silent' });

function leaseThat(signal: AbortSignal): Lease {
  return { name: locks.signer, fenceToken: 1n, signal, release: () => Promise.resolve() };
}

const taskOf = (run: Task['run']): Task => ({ name: 'sample', lock: locks.signer, intervalMs: 5, run });

test('loop: a run that loses its lease is not a success', async () => {
  const metrics = createKeeperMetrics();
  const lease = new AbortController();
  const loop = startLoop({
    tasks: [taskOf(() => Promise.resolve(lease.abort()))],
    hold: () => Promise.resolve(leaseThat(lease.signal)),
    isFit: () => true,
    metrics,
    logger,
    clock: systemClock,
  });
  await delay(60);
  const [health] = loop.health();
  await loop.stop();
  expect(health?.silenceMs).toBeGreaterThan(40);
  expect((await metrics.lastSuccess.get()).values).toEqual([]);
  const failures = (await metrics.taskFailures.get()).values;
  expect(failures.map(({ labels }) => labels.kind)).toEqual(['lease_lost']);
});

test('loop: an unfit process requests no lock, runs nothing, and reports no success', async () => {
  let heldCount = 0;
  let isFit = false;
  const loop = startLoop({
    tasks: [taskOf(() => Promise.resolve())],
    hold: () => {
      heldCount += 1;
      return Promise.resolve(leaseThat(new AbortController().signal));
    },
    isFit: () => isFit,
    metrics: createKeeperMetrics(),
    logger,
    clock: systemClock,
  });
  const lastSuccessMs = (): number => performance.now() - (loop.health()[0]?.silenceMs ?? 0);
  await delay(60);
  expect(heldCount).toBe(0);
  expect(loop.health()[0]?.silenceMs).toBeGreaterThan(40);
  const startMs = lastSuccessMs();
  isFit = true;
  await expect.poll(() => heldCount).toBeGreaterThan(0);
  await expect.poll(lastSuccessMs).toBeGreaterThan(startMs + 40);
  await loop.stop();
});

test('loop: some of several tasks hang, in a run or at their end → the stop fails in time and names them alone', async () => {
  const kinds = fc.array(fc.constantFrom('ends', 'hangs', 'fails', 'never finishes'), { minLength: 1, maxLength: 6 });
  const never = (): Promise<void> => new Promise(() => undefined);
  const law = fc.asyncProperty(kinds, async (parts) => {
    const tasks = parts.map((kind, index): Task => {
      const failing = () => Promise.reject(new Error('failed'));
      const runs = {
        hangs: never,
        fails: failing,
        ends: async () => undefined,
        'never finishes': async () => undefined,
      };
      return {
        ...taskOf(runs[kind]),
        name: `${index} ${kind}`,
        ...(kind === 'never finishes' ? { finish: never } : {}),
      };
    });
    const loop = startLoop({
      tasks,
      hold: () => Promise.resolve(leaseThat(new AbortController().signal)),
      isFit: () => true,
      metrics: createKeeperMetrics(),
      logger,
      clock: systemClock,
      stopLimitMs: 50,
    });
    await delay(10);
    const hanging = parts.map((kind, index) => `${index} ${kind}`).filter((name) => /hangs|never/.test(name));
    const failure = await loop.stop().then(
      () => null,
      (error: Error) => error.message,
    );
    expect(failure).toBe(hanging.length === 0 ? null : `${hanging.join(', ')}: no end within 50 ms`);
  });
  await fc.assert(law, { numRuns: 15 });
});
