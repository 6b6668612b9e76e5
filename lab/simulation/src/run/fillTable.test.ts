import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { defaultPhysics } from '../world/physics.ts';
import { fillTableOf } from './fillTable.ts';
import { tableMarksOf, withTable } from './tables.ts';
import type { WorldReport, WorldRequest } from './worldRequest.ts';

const request: WorldRequest = {
  scenario: 'fills',
  seed: 1,
  route: 'fill',
  physics: { ...defaultPhysics, blockMs: 0 },
  keepers: 1,
  markets: ['crypto'],
  fillers: ['shipped'],
  users: 1,
  faults: [],
};
const counts = { due: 3, first: 1, second: 1, later: 0, never: 1, p50: 6, p95: null };
const fills: WorldReport['fills'] = [
  { market: 'crypto', step: 'opening', ...counts },
  { market: 'all', step: 'opening', ...counts },
];

test('table of fills: one row for each step of all markets, which replaces the one of a document', () => {
  const table = fillTableOf([{ request, fills }]);
  expect(table.split('\n').slice(2)).toEqual(['| at once | 1 c | opening | 3 | 1 | 1 | 0 | 1 | 6 s | – |']);
  const [begin, end] = tableMarksOf('fills');
  const written = withTable(`before\n${begin}\nold\n${end}\nafter\n`, 'fills', table);
  expect(written).toBe(`before\n${begin}\n${table}\n${end}\nafter\n`);
  expect(withTable(written, 'fills', table)).toBe(written);
  expect(() => withTable(written, 'days', table)).toThrow(/no place for the table/);
});

test('simulate fills: a missing document, or one without a place → refused before a world runs', () => {
  const program = fileURLToPath(new URL('./main.ts', import.meta.url));
  const refusalOf = (file: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'fills', '--write', file]);
    return [status, `${stdout}`, `${stderr}`.split('\n')[0]];
  };
  expect(refusalOf('/missing.md')).toEqual([2, '', expect.stringMatching(/^--write \/missing\.md: .*no such file/)]);
  expect(refusalOf(program)).toEqual([2, '', expect.stringMatching(/^--write .*: the document has no place/)]);
});
