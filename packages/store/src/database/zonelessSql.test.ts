import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../..', import.meta.url));

/** Expressions whose value depends on the time zone, or on the date style, of the session. */
const dependent = [
  /::(timestamp|date|time|timetz)\b(?!tz)/i,
  /\b(date_trunc|date_part|to_char|to_timestamp|to_date)\s*\(/i,
  /\bextract\s*\((?!\s*epoch\b)/i,
  /\b(current_date|current_time|localtime|localtimestamp)\b/i,
  /\binterval\s+'[^']*\b(day|week|mon|month|year)s?\b/i,
  /"\s+(TIMESTAMP|DATE|TIME)\b(?!TZ)/,
];

const filesOf = (place: string, pattern: RegExp): readonly string[] =>
  readdirSync(`${folder}/${place}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name) && !name.startsWith('generated') && !name.endsWith('.test.ts'))
    .map((name) => `${place}/${name}`);

test('no statement depends on the time zone of its session', () => {
  const files = [...filesOf('src', /\.ts$/), ...filesOf('prisma/migrations', /\.sql$/)];
  expect(files.length).toBeGreaterThan(50);
  const lines = files.flatMap((file) =>
    readFileSync(`${folder}/${file}`, 'utf8')
      .split('\n')
      .flatMap((line, index) => (dependent.some((one) => one.test(line)) ? [`${file}:${index + 1} ${line}`] : [])),
  );
  expect(lines).toEqual([]);
});

test.each([
  "created_at::date = '2026-11-26'",
  "date_trunc('day', created_at)",
  'extract(hour FROM created_at)',
  "now() - interval '1 day'",
  '"created_at" TIMESTAMP(3) NOT NULL',
  'WHERE due_at < CURRENT_DATE',
])('an expression that depends on it: %s', (expression) => {
  expect(dependent.some((one) => one.test(expression))).toBe(true);
});
