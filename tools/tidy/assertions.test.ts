import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tooManyAssertions } from './assertions.ts';

const planted: Readonly<Record<string, string>> = {
  'packages/low/src/read.ts': [
    "import { readFile as read } from 'node:fs';",
    '// A text as a number is none.',
    "export const names = ['as string'] as const;",
    'export const first = names[0] as string;',
    'export const text = `${first as unknown}`;',
    'export { read as readAgain };',
  ].join('\n'),
  'packages/low/src/list.tsx': 'export const list = [\n  (1 as number),\n];\n',
  'packages/low/src/read.test.ts': 'export const value = 1 as number;\n',
  'packages/low/testing/sample.ts': 'export const value = 1 as number;\n',
  'packages/low/src/generated/names.ts': 'export const value = 1 as number;\n',
};

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'assertions-'));
  for (const [path, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('tooManyAssertions: lists every assertion outside tests and generated code above the limit', () => {
  const what = 'a type assertion: there are 3, the limit is 2';
  expect(tooManyAssertions(root, 2)).toEqual([
    { where: 'packages/low/src/list.tsx:2', what },
    { where: 'packages/low/src/read.ts:4', what },
    { where: 'packages/low/src/read.ts:5', what },
  ]);
});

test('tooManyAssertions: passes at the limit', () => {
  expect(tooManyAssertions(root, 3)).toEqual([]);
});
