import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantOf } from './instant.ts';

/** Instants of years that PostgreSQL writes with four to six digits. */
const anyInstant = fc.integer({ min: Date.UTC(1, 0) - 10 ** 12, max: 8.6e15 - 10 ** 9 });
const anyOffsetSeconds = fc.oneof(
  fc.constantFrom(0, 3_600, 19_800, 20_700, -10_800, -12_600, 1_172, -2_670),
  fc.integer({ min: -15 * 3_600, max: 15 * 3_600 }),
);

const two = (value: number): string => String(value).padStart(2, '0');

/** Write an instant as PostgreSQL does in a session of that offset: parts that are zero are left out. */
function textOf(ms: number, offsetSeconds: number): string {
  const local = new Date(ms + offsetSeconds * 1_000);
  const day = `${String(local.getUTCFullYear()).padStart(4, '0')}-${local.toISOString().slice(-19, -14)}`;
  const fraction = local.getUTCMilliseconds() === 0 ? '' : `.${String(local.getUTCMilliseconds()).padStart(3, '0')}`;
  const seconds = Math.abs(offsetSeconds);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const count = parts[2] === 0 ? (parts[1] === 0 ? 1 : 2) : 3;
  const offset = `${offsetSeconds < 0 ? '-' : '+'}${parts.slice(0, count).map(two).join(':')}`;
  return `${day} ${local.toISOString().slice(-13, -5)}${fraction.replace(/0+$/, '')}${offset}`;
}

test('instantOf: reads an instant written in any offset', () => {
  const anyYear = anyInstant.filter((ms) => new Date(ms - 86_400_000).getUTCFullYear() > 0);
  fc.assert(
    fc.property(anyYear, anyOffsetSeconds, (ms, offsetSeconds) => {
      expect(instantOf(textOf(ms, offsetSeconds))).toBe(ms);
    }),
  );
});

test.each([
  ['2026-11-26 18:00:00+01', Date.UTC(2026, 10, 26, 17)],
  ['2026-11-26 18:00:00.25+05:30', Date.UTC(2026, 10, 26, 12, 30, 0, 250)],
  ['2026-11-26 18:00:00-03', Date.UTC(2026, 10, 26, 21)],
  ['1937-01-01 00:19:32.1+00:19:32', Date.UTC(1937, 0, 1, 0, 0, 0, 100)],
  ['2026-11-26 18:00:00.123456+00', Date.UTC(2026, 10, 26, 18, 0, 0, 123)],
  ['12026-11-26 18:00:00+00', Date.UTC(12_026, 10, 26, 18)],
])('instantOf: reads %s', (text, ms) => {
  expect(instantOf(text)).toBe(ms);
});

test.each([
  'infinity',
  '-infinity',
  '0044-03-15 12:00:00+00 BC',
  '2026-11-26 18:00:00',
  '26.11.2026 18:00:00 CET',
  'Thu Nov 26 18:00:00 2026 IST',
  '2026-13-26 18:00:00+01',
  '2026-13-26 18:00:00+00',
  '',
])('instantOf: throws on %o', (text) => {
  expect(() => instantOf(text)).toThrow(RangeError);
});
