import { expect, test } from 'vitest';
import { fixedClock } from '../testing/fixedClock.ts';

test('a fixed clock moves only when it is moved', () => {
  const clock = fixedClock(1_000);
  expect(clock.nowMs()).toBe(1_000);
  clock.advanceMs(-500);
  expect(clock.nowMs()).toBe(500);
  clock.setMs(7);
  expect(clock.nowMs()).toBe(7);
});
