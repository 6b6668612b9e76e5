import { expect, test } from 'vitest';
import { nextTimeOfDay, timeOfDay } from './timeOfDay.ts';

test('a time of day has two digits for hours and for minutes', () => {
  const times = ['00:00', '18:05', '23:59'];
  expect(times.map((text) => timeOfDay.read(text))).toEqual(times);
  const others = ['24:00', '9:30', '09:60', '', '18:05:00'];
  expect(others.map((text) => timeOfDay.read(text))).toEqual(others.map(() => undefined));
});

test.each([
  ['2026-03-01T18:04:59Z', '2026-03-01T18:05:00.000Z'],
  ['2026-03-01T18:04:59.999Z', '2026-03-01T18:05:00.000Z'],
  ['2026-03-01T18:05:00Z', '2026-03-02T18:05:00.000Z'],
  ['2026-12-31T23:59:59Z', '2027-01-01T18:05:00.000Z'],
])('18:05 after %s', (now, next) => {
  expect(new Date(nextTimeOfDay('18:05', Date.parse(now) / 1_000) * 1_000).toISOString()).toBe(next);
});
