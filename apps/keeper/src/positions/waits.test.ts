import { expect, test } from 'vitest';
import { Waits } from './waits.ts';

const pauseOf = (reason: string) => ({ reason, durationMs: 5_000, isAlert: false });

test('a position is left alone for the time of its wait, and a reason is new once until it changes', () => {
  const waits = new Waits();
  expect(waits.isWaiting('a', 0)).toBe(false);
  expect(waits.note('a', pauseOf('sale_below_debt'), 0)).toBe(true);
  expect(waits.isWaiting('a', 4_999)).toBe(true);
  expect(waits.isWaiting('b', 4_999)).toBe(false);
  expect(waits.isWaiting('a', 5_000)).toBe(false);
  expect(waits.note('a', pauseOf('sale_below_debt'), 5_000)).toBe(false);
  expect(waits.note('a', pauseOf('book_too_thin'), 10_000)).toBe(true);
  waits.forget('a');
  expect(waits.isWaiting('a', 10_001)).toBe(false);
  expect(waits.note('a', pauseOf('book_too_thin'), 10_001)).toBe(true);
});

test('a wait that is not looked at any more is forgotten', () => {
  const waits = new Waits();
  waits.note('a', pauseOf('book_too_thin'), 0);
  waits.note('b', pauseOf('book_too_thin'), 605_001);
  expect(waits.isWaiting('a', 1)).toBe(false);
  expect(waits.isWaiting('b', 605_002)).toBe(true);
});
