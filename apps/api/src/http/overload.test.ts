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

/** Enter as many of so many requests as there are places for, from four addresses in turn. */
function arrive(count: number): number {
  let entered = 0;
  for (let one = 0; one < count; one += 1) {
    const address = `address ${one % 4}`;
    if (overload.refusalOf(address) !== null) break;
    ends.push(overload.enter(address).leave);
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

test('admits a burst up to the maximum; each end frees one slot once', () => {
  overload = new Overload(() => nowMs);
  expect(arrive(1_000)).toBe(256);
  const [first] = ends;
  first?.();
  first?.();
  expect(arrive(10)).toBe(1);
});

test('a lasting overload admits no more than are answered in 80 ms', () => {
  overload = new Overload(() => nowMs);
  for (let tick = 0; tick < 100; tick += 1) tickAnswering(100);
  // 2,000 a second.
  expect(ends.length).toBeGreaterThanOrEqual(160);
  expect(ends.length).toBeLessThan(165);
  for (let tick = 0; tick < 100; tick += 1) tickAnswering(1);
  expect(ends.length).toBe(64);
});

test('admits requests again after an overload', () => {
  overload = new Overload(() => nowMs);
  for (let tick = 0; tick < 100; tick += 1) tickAnswering(1);
  for (const end of ends.splice(0)) end();
  for (let tick = 0; tick < 100; tick += 1) {
    nowMs += 50;
    overload.tick();
  }
  expect(arrive(1_000)).toBe(256);
});

test('admits the minimum while the event loop is blocked', () => {
  overload = new Overload(() => nowMs);
  nowMs += 500;
  expect(arrive(1_000)).toBe(64);
});

test('places: one address has taken its share → it is refused, others are let in', () => {
  overload = new Overload(() => nowMs, { places: 100, placesPerAddress: 60, placesPerCaller: 10 });
  for (let one = 0; one < 60; one += 1) ends.push(overload.enter('greedy').leave);
  expect(overload.refusalOf('greedy')).toMatchObject({ allowed: false, limit: 60 });
  expect(overload.refusalOf('other')).toBeNull();
  ends.shift()?.();
  expect(overload.refusalOf('greedy')).toBeNull();
});

test('places: one caller has taken its share → it is refused, others are let in', () => {
  overload = new Overload(() => nowMs, { places: 100, placesPerAddress: 60, placesPerCaller: 2 });
  const places = ['greedy', 'greedy', 'greedy', 'other'].map((caller) => {
    const place = overload.enter('address');
    ends.push(place.leave);
    return place.claim(caller);
  });
  expect(places.map((bound) => bound?.limit ?? null)).toEqual([null, null, 2, null]);
  ends[0]?.();
  ends[2]?.();
  expect(overload.enter('address').claim('greedy')).toBeNull();
});
