import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { realVenueProfile } from '../profile/venueProfile.ts';
import { RequestBudget } from './requestBudget.ts';

const paths = ['/book', '/books', '/tick-size', '/markets/keyset', '/order', '/data/trades'];
const limitOf = (path: string): number =>
  realVenueProfile.limits
    .filter((limit) => (path === limit.path || path.startsWith(`${limit.path}/`)) && limit.method !== 'DELETE')
    .toSorted((left, right) => right.path.length - left.path.length)[0]?.requestsPer10Seconds ?? 0;

test('budget: bursts of requests → no window of ten seconds holds more than the limit of its endpoint', () => {
  const arrivals = fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 3_000 }), count: fc.integer({ min: 1, max: 400 }) }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...paths), arrivals, (path, bursts) => {
      let nowMs = 0;
      const budget = new RequestBudget(realVenueProfile.limits, () => nowMs);
      const sentAtMs: number[] = [];
      for (const { afterMs, count } of bursts) {
        nowMs += afterMs;
        for (let index = 0; index < count; index += 1) sentAtMs.push(nowMs + budget.take('POST', path));
      }
      sentAtMs.sort((left, right) => left - right);
      const limit = limitOf(path);
      const spansMs = sentAtMs.slice(limit).map((atMs, index) => atMs - (sentAtMs[index] ?? 0));
      expect(spansMs.every((spanMs) => spanMs >= 9_999)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('budget: a path without a limit → no wait', () => {
  const budget = new RequestBudget(realVenueProfile.limits, () => 0);
  expect(Array.from({ length: 5_000 }, () => budget.take('GET', '/version')).every((waitMs) => waitMs === 0)).toBe(
    true,
  );
});

test('budget: the longer path and the method decide', () => {
  const limits = [
    { path: '/a', requestsPer10Seconds: 10 },
    { path: '/a/b', requestsPer10Seconds: 1_000 },
    { path: '/c', method: 'POST', requestsPer10Seconds: 10 },
  ] as const;
  const budget = new RequestBudget(limits, () => 0);
  const waitOf = (method: 'GET' | 'POST', path: string): number =>
    Math.max(...Array.from({ length: 5 }, () => budget.take(method, path)));
  expect(waitOf('GET', '/a')).toBeGreaterThan(0);
  expect(waitOf('GET', '/a/b')).toBe(0);
  expect(waitOf('GET', '/ab')).toBe(0);
  expect(waitOf('GET', '/c')).toBe(0);
  expect(waitOf('POST', '/c')).toBeGreaterThan(0);
});
