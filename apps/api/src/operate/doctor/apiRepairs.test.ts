import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apiRepairOf } from './apiRepairs.ts';

const root = new URL('../../../../../', import.meta.url);
const text = readFileSync(fileURLToPath(new URL('docs/operate/api.md', root)), 'utf8');
const rows = text.slice(text.indexOf('| `missing` in'), text.indexOf('A need of keepers')).split('\n');
const documented = rows.flatMap((row) =>
  [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
);

test.each(documented.filter((name) => name !== 'missing'))('doctor: %s has a repair, whose pages exist', (name) => {
  const repair = apiRepairOf([name]);
  expect(repair).toEqual(expect.any(String));
  const pages = [...(repair ?? '').matchAll(/docs\/[\w/]+\.md/g)].map(([page]) => page);
  expect(pages.filter((page) => !existsSync(fileURLToPath(new URL(page, root))))).toEqual([]);
});

test('doctor: of several needs the cause is repaired, not its effect', () => {
  expect(apiRepairOf(['keeper_silent', 'database'])).toBe(apiRepairOf(['database']));
  expect(apiRepairOf(['an unknown one'])).toBeUndefined();
});
