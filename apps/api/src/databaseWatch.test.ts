import { expect, test } from 'vitest';
import { databaseProbe, lockWatch } from './databaseWatch.ts';

test('databaseProbe: many callers share one probe, and the next one follows a second later', async () => {
  const probes: PromiseWithResolvers<void>[] = [];
  const timesMs: number[] = [];
  const observeAt = databaseProbe(
    {
      probeWrite: (nowMs) => {
        timesMs.push(nowMs);
        const probe = Promise.withResolvers<void>();
        probes.push(probe);
        return probe.promise;
      },
    },
    { isLocked: () => false },
  );
  const observe = () => observeAt(7_000 + probes.length);
  const first = Array.from({ length: 100 }, observe);
  expect(probes).toHaveLength(1);
  probes[0]?.resolve();
  expect(new Set(await Promise.all(first))).toEqual(new Set([null]));
  expect(await observe()).toBeNull();
  expect(probes).toHaveLength(1);

  // The probe after it takes longer than a second: who asks meanwhile waits for it and begins no other.
  await expect
    .poll(() => {
      void observe();
      return probes.length;
    })
    .toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const second = Array.from({ length: 100 }, observe);
  expect(probes).toHaveLength(2);
  probes[1]?.reject(Object.assign(new Error('no writes'), { code: '25006' }));
  expect(new Set(await Promise.all(second))).toEqual(new Set(['read_only']));
  expect(await observe()).toBe('read_only');
  expect(timesMs).toEqual([7_000, 7_001]);
});

test('databaseProbe: a write that waits for a locked table → locked, as soon as the lock shows', async () => {
  const answers = [false, true];
  const store = { probeWrite: () => new Promise<void>(() => undefined) };
  const observe = databaseProbe(store, { isLocked: () => answers.shift() ?? true });
  expect(await observe(0)).toBe('locked');
});

test('lockWatch: reports the first holder once, and knows no lock while the database is away', async () => {
  const holder = { table: 'heartbeats', pid: 7, application: null, sinceMs: null, query: null };
  const answers = [[], [holder], [holder], null, [holder]];
  const reports: (readonly string[])[] = [];
  const lockHolders = async () => answers.shift() ?? Promise.reject(new Error('away'));
  const locks = lockWatch({ lockHolders }, (holders) => reports.push(holders));
  const states: boolean[] = [];
  while (answers.length > 0) {
    await locks.refresh().catch(() => undefined);
    states.push(locks.isLocked());
  }
  expect(states).toEqual([false, true, true, false, true]);
  expect(reports).toEqual([['heartbeats is locked by session 7'], ['heartbeats is locked by session 7']]);
});
