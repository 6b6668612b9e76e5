import { expect, test } from 'vitest';
import { FoundLimit } from './foundLimit.ts';

function limitOf() {
  let atMs = 0;
  const limit = new FoundLimit({ largest: 1_000, raiseMs: 60_000, nowMs: () => atMs });
  const pass = (durationMs: number): void => {
    atMs += durationMs;
  };
  return { limit, pass };
}

test('limit: the largest size until a refusal, then the lower one', () => {
  const { limit, pass } = limitOf();
  pass(600_000);
  expect(limit.size).toBe(1_000);
  expect([limit.lower(63), limit.lower(125), limit.lower(63)]).toEqual([true, false, false]);
  expect(limit.size).toBe(63);
});

test('limit: the size doubles once in a while, up to the largest', () => {
  const { limit, pass } = limitOf();
  limit.lower(300);
  const sizes = [1, 2, 3].map(() => {
    pass(60_000);
    return [limit.size, limit.size];
  });
  expect(sizes).toEqual([
    [600, 600],
    [1_000, 1_000],
    [1_000, 1_000],
  ]);
});

test('limit: a larger size that is refused again is no change', () => {
  const { limit, pass } = limitOf();
  limit.lower(63);
  pass(60_000);
  expect(limit.size).toBe(126);
  expect(limit.lower(63)).toBe(false);
  expect([limit.size, limit.lower(32)]).toEqual([63, true]);
});
