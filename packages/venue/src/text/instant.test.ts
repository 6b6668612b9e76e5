import { expect, test } from 'vitest';
import { instantMsOf } from './instant.ts';

test.each([
  ['2026-02-07T15:15:00Z', '2026-02-07T15:15:00.000Z'],
  ['2026-02-07 15:15:00+00', '2026-02-07T15:15:00.000Z'],
  ['2024-01-16 16:46:40.486+00', '2024-01-16T16:46:40.486Z'],
  ['2026-02-07T15:15:00.539467+02:00', '2026-02-07T13:15:00.539Z'],
  ['2026-02-07 15:15:00-0330', '2026-02-07T18:45:00.000Z'],
  ['2026-02-07', '2026-02-07T00:00:00.000Z'],
  ['2026-02-07T15:15', '2026-02-07T15:15:00.000Z'],
])('the instant %s is %s', (text, iso) => {
  expect(new Date(instantMsOf(text) ?? Number.NaN).toISOString()).toBe(iso);
});

test.each(['', 'soon', '2026-13-45T00:00:00Z', '07.02.2026', '1770490800', null, undefined])(
  '%j is no instant',
  (text) => {
    expect(instantMsOf(text)).toBeNull();
  },
);
