import { expect, test } from 'vitest';
import { FreezeGuard } from './freezeGuard.ts';

const timing = { freezeGraceMs: 1_000, minReconnectIntervalMs: 5_000 };

test('a socket that catches up within the grace does not count as frozen', () => {
  const guard = new FreezeGuard(timing);
  guard.restAhead('1', 0);
  expect(guard.isReconnectDue(999)).toBe(false);
  guard.caughtUp('1');
  expect(guard.isReconnectDue(5_000)).toBe(false);
  expect(guard.freezeCount).toBe(0);
});

test('the grace counts from the first read that was ahead', () => {
  const guard = new FreezeGuard(timing);
  guard.restAhead('1', 0);
  guard.restAhead('1', 900);
  expect(guard.isReconnectDue(1_000)).toBe(true);
  expect(guard.freezeCount).toBe(1);
});

test('while it stays frozen the waits are 5, 10, 20 … and at most 60 seconds', () => {
  const guard = new FreezeGuard(timing);
  const reconnectedAt: number[] = [];
  for (let now = 0; now <= 300_000; now += 500) {
    guard.restAhead('1', now);
    if (guard.isReconnectDue(now)) {
      reconnectedAt.push(now);
    }
  }
  const waits = reconnectedAt.slice(1).map((now, index) => now - (reconnectedAt[index] ?? 0));
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
});

test('after a quiet time the waits start over', () => {
  const guard = new FreezeGuard(timing);
  const freezeAt = (now: number): boolean => {
    guard.restAhead('1', now);
    return guard.isReconnectDue(now + 1_000);
  };
  expect([freezeAt(0), freezeAt(6_000), freezeAt(12_000)]).toEqual([true, true, false]);
  guard.caughtUp('1');
  expect(guard.isReconnectDue(100_000)).toBe(false);
  expect([freezeAt(200_000), freezeAt(210_100)]).toEqual([true, true]);
});
