import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@core/runtime';
import type { Lease } from '@core/store';
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

test('a run whose lease was lost meanwhile is no success', async () => {
  const metrics = createKeeperMetrics();
  const lost = new AbortController();
  const loop = startLoop({
    tasks: [taskOf(() => Promise.resolve(lost.abort()))],
    hold: () => Promise.resolve(leaseThat(lost.signal)),
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

test('a process that is not fit asks for no lock, runs nothing, and is no success', async () => {
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
  await delay(60);
  expect(heldCount).toBe(0);
  expect(loop.health()[0]?.silenceMs).toBeGreaterThan(40);
  isFit = true;
  await delay(40);
  expect(heldCount).toBeGreaterThan(0);
  expect(loop.health()[0]?.silenceMs).toBeLessThan(40);
  await loop.stop();
});
