import { expect, test, vi } from 'vitest';
import { ExpiringMap } from './expiringMap.ts';

const lifeMs = 5_000;
const set = (map: ExpiringMap<string>, subject: string, nowMs: number): void =>
  map.set(subject, subject, { nowMs, expiresAtMs: nowMs + lifeMs });

test('a value is current until it expires, and is returned until its retention is over', () => {
  const map = new ExpiringMap<string>(600_000);
  expect([map.get('a'), map.isCurrent('a', 0)]).toEqual([null, false]);
  set(map, 'a', 0);
  expect([map.isCurrent('a', 4_999), map.isCurrent('b', 4_999)]).toEqual([true, false]);
  expect([map.get('a'), map.isCurrent('a', 5_000)]).toEqual(['a', false]);
  map.delete('a');
  expect(map.get('a')).toBeNull();
});

test('an old value is removed, unless it is set again', () => {
  const map = new ExpiringMap<string>(600_000);
  set(map, 'a', 0);
  set(map, 'b', 0);
  set(map, 'a', 500_000);
  set(map, 'c', 605_001);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual(['a', null, 'c']);
});

test('a set reads the oldest values up to the first retained one, and no others', () => {
  const map = new ExpiringMap<string>(600_000);
  for (let number = 0; number < 100; number += 1) set(map, String(number), 0);
  const steps = stepsOfMaps(() => set(map, '0', 1));
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
