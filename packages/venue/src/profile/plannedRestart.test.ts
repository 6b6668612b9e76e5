import { expect, test } from 'vitest';
import { plannedRestartOf, restartPauseMsOf } from './plannedRestart.ts';
import { realVenueProfile } from './venueProfile.ts';

const pauseAt = (instant: string): number => restartPauseMsOf(realVenueProfile.restarts, Date.parse(instant));

test.each([
  ['five minutes before it', '2026-11-24T11:55:00Z', 720_000],
  ['as it begins', '2026-11-24T12:00:00Z', 420_000],
  ['in the post-only minutes', '2026-11-24T12:03:30Z', 210_000],
  ['at the end of its window', '2026-11-24T12:07:00Z', 0],
  ['six minutes before it', '2026-11-24T11:54:00Z', 0],
  ['on another day', '2026-11-25T12:00:00Z', 0],
  // New York is an hour nearer to UTC in summer.
  ['in summer', '2026-07-21T11:00:00Z', 420_000],
  ['in summer, at its hour of winter', '2026-07-21T12:00:00Z', 0],
  // The other weekly restart is on Monday evening, which is Tuesday in UTC.
  ['after midnight in UTC', '2026-11-24T01:00:00Z', 420_000],
])('planned restart: %s → nothing opens for the rest of its window', (_case, instant, pauseMs) => {
  expect(pauseAt(instant)).toBe(pauseMs);
});

test('planned restart: one that is announced for a single instant counts once', () => {
  const restart = plannedRestartOf('2026-12-01T12:00:00Z');
  expect(restart).toEqual({ kind: 'once', atMs: Date.UTC(2026, 11, 1, 12) });
  const restarts = restart === undefined ? [] : [restart];
  expect(restartPauseMsOf(restarts, Date.UTC(2026, 11, 1, 11, 59))).toBe(480_000);
  expect(restartPauseMsOf(restarts, Date.UTC(2026, 11, 8, 12))).toBe(0);
});

test('planned restart: a weekly one has a day, a time and a zone', () => {
  const restart = { kind: 'weekly', weekday: 2, minute: 420, timeZone: 'America/New_York' };
  expect(plannedRestartOf('Tue 07:00 America/New_York')).toEqual(restart);
  expect(plannedRestartOf('Sun 23:59 UTC')).toMatchObject({ weekday: 0, minute: 1_439, timeZone: 'UTC' });
});

test.each(['', 'Tue 7:00 UTC', 'Tue 24:00 UTC', 'Day 07:00 UTC', 'Tue 07:00 Atlantis/North', '2026-13-01T12:00:00Z'])(
  'planned restart: %j names none',
  (text) => {
    expect(plannedRestartOf(text)).toBeUndefined();
  },
);
