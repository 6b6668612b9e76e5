import { expect, test } from 'vitest';
import { steadyStart } from './steadyStart.ts';

test.each([
  ['2026-11-25T00:00:00.000Z', '2026-11-25T18:05:00.000Z'],
  ['2026-11-25T18:04:59.999Z', '2026-11-25T18:05:00.000Z'],
  ['2026-11-25T18:05:00.000Z', '2026-11-26T18:05:00.000Z'],
  ['2026-12-31T23:00:00.000Z', '2027-01-01T18:05:00.000Z'],
])('steadyStart: from %s → %s', (now, start) => {
  expect(steadyStart(Date.parse(now)).toISOString()).toBe(start);
});
