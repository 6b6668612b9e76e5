import { afterEach, expect, test } from 'vitest';
import { Overload } from './overload.ts';

let nowMs = 0;
let overload: Overload;
const ends: (() => void)[] = [];
afterEach(() => {
  overload.close();
  ends.length = 0;
  nowMs = 0;
});

/** As many of so many as there is room for. */
function arrive(count: number): number {
  let entered = 0;
  for (let one = 0; one < count && overload.hasRoom; one += 1) {
    ends.push(overload.enter());
    entered += 1;
  }
  return entered;
}

/** A tick in which the oldest are answered and others take every place that is free. */
function tickAnswering(answeredCount: number): void {
  for (const end of ends.splice(0, answeredCount)) end();
  arrive(1_000);
  nowMs += 50;
  overload.tick();
}

test('a rush is taken in up to the maximum, and ends free their places once', () => {
  overload = new Overload(() => nowMs);
  expect(arrive(1_000)).toBe(256);
  const [first] = ends;
  first?.();
  first?.();
  expect(arrive(10)).toBe(1);
});

test('in an overload that lasts no more are under way than are answered in 80 ms', () => {
  overload = new Overload(() => nowMs);
  for (let tick = 0; tick < 100; tick += 1) tickAnswering(100);
  // 2,000 a second.
  expect(ends.length).toBeGreaterThanOrEqual(160);
  expect(ends.length).toBeLessThan(165);
  for (let tick = 0; tick < 100; tick += 1) tickAnswering(1);
  expect(ends.length).toBe(64);
});

test('what was refused in an overload is taken in when it is over', () => {
  overload = new Overload(() => nowMs);
  for (let tick = 0; tick < 100; tick += 1) tickAnswering(1);
  for (const end of ends.splice(0)) end();
  for (let tick = 0; tick < 100; tick += 1) {
    nowMs += 50;
    overload.tick();
  }
  expect(arrive(1_000)).toBe(256);
});

test('while the event loop is held up, no more than the least come in', () => {
  overload = new Overload(() => nowMs);
  nowMs += 500;
  expect(arrive(1_000)).toBe(64);
});
