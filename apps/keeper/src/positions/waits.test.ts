import { expect, test, vi } from 'vitest';
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

test('a wait that is not looked at any more is forgotten, one that is noted again is not', () => {
  const waits = new Waits();
  const thin = pauseOf('book_too_thin');
  waits.note('a', thin, 0);
  waits.note('b', thin, 0);
  waits.note('a', thin, 500_000);
  waits.note('c', thin, 605_001);
  expect(waits.isWaiting('c', 605_002)).toBe(true);
  expect(waits.note('a', thin, 605_002)).toBe(false);
  expect(waits.note('b', thin, 605_002)).toBe(true);
});

test('a note reads the oldest waits until one is not to be forgotten, and no others', () => {
  const waits = new Waits();
  for (let number = 0; number < 100; number += 1) waits.note(String(number), pauseOf('book_too_thin'), 0);
  const steps = stepsOfMaps(() => waits.note('0', pauseOf('book_too_thin'), 1));
  expect(steps).toBe(1);
});

/** Entries of any map that something reads by walking it. */
function stepsOfMaps(run: () => void): number {
  let steps = 0;
  const walk = Map.prototype[Symbol.iterator];
  const spy = vi.spyOn(Map.prototype, Symbol.iterator).mockImplementation(function (this: Map<unknown, unknown>) {
    const entries = walk.call(this);
    const next = entries.next.bind(entries);
    entries.next = () => {
      steps += 1;
      return next();
    };
    return entries;
  });
  run();
  spy.mockRestore();
  return steps;
}
