import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findUnused } from './findUnused.ts';

/** A workspace with one planted fault of every kind beside correct code. */
const planted: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'planted', private: true, type: 'module' }),
  'pnpm-workspace.yaml': 'packages:\n  - packages/*\n  - apps/*\ncatalog:\n  zod: 4.0.0\n  unasked: 1.0.0\n',
  'packages/open/package.json': JSON.stringify({
    name: '@core/open',
    type: 'module',
    exports: { '.': './src/index.ts', './testing': './testing/index.ts' },
    dependencies: { zod: 'catalog:', pg: '1.0.0' },
    devDependencies: { 'fast-check': '1.0.0' },
  }),
  'packages/open/src/index.ts': [
    "export type { Answer } from './rates.ts';",
    "export { listedOf, ratesOf, unlistedOf } from './rates.ts';",
  ].join('\n'),
  'packages/open/src/rates.ts': [
    "import { z } from 'zod';",
    "import { something } from 'undeclared';",
    'export interface Answer { readonly one: unknown }',
    'export type Lonely = string;',
    'export const ratesOf = (): Answer => ({ one: [z, something, innerOf()] });',
    'export const innerOf = (): number => 1;',
    'export const listedOf = (): number => 2;',
    'export const unlistedOf = (): number => 3;',
    'export const provedOf = (): number => 4;',
  ].join('\n'),
  'packages/open/src/rates.test.ts': "import { innerOf, provedOf } from './rates.ts';\ninnerOf();\nprovedOf();\n",
  'packages/open/src/laws.ts': 'export const lawOf = (): number => 5;\n',
  'packages/open/src/laws.test.ts': "import { lawOf } from './laws.ts';\nlawOf();\n",
  'packages/open/src/orphan.ts': 'export const orphan = 1;\n',
  'packages/open/testing/index.ts': 'export const sample = 1;\nexport const unread = 2;\n',
  'apps/shell/package.json': JSON.stringify({
    name: '@core/shell',
    type: 'module',
    dependencies: { '@core/open': 'workspace:*' },
  }),
  'apps/shell/src/main.ts': "import { ratesOf } from '@core/open';\nratesOf();\n",
  'apps/shell/src/main.test.ts': "import { sample } from '@core/open/testing';\nsample.toFixed();\n",
};

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'planted-'));
  for (const [path, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('knip: finds each planted fault and nothing else', () => {
  const unused = findUnused({ root, publicSurface: { 'packages/open': ['goneOf', 'listedOf'] } });
  const linesOf = (offences: (typeof unused)['exports']): string[] =>
    offences.map(({ where, what }) => `${where.replace(/:\d+$/, '')} ${what}`).toSorted();
  expect(linesOf(unused.exports)).toEqual([
    'packages/open/src/index.ts does not export goneOf, which the public surface lists',
    'packages/open/src/index.ts exports unlistedOf, which nothing imports',
    'packages/open/src/orphan.ts no program, test or file uses it',
    'packages/open/src/rates.ts exports Lonely, which nothing imports',
    'packages/open/src/rates.ts exports unlistedOf, which nothing imports',
    'packages/open/testing/index.ts exports unread, which nothing imports',
  ]);
  expect(linesOf(unused.testOnly)).toEqual([
    'packages/open/src/laws.ts only tests use this file',
    'packages/open/src/rates.ts exports provedOf, which only tests use',
  ]);
  expect(linesOf(unused.dependencies)).toEqual([
    'packages/open/package.json depends on fast-check for development, which nothing imports',
    'packages/open/package.json depends on pg, which nothing imports',
    'packages/open/src/rates.ts imports undeclared, which its package.json does not name',
    'pnpm-workspace.yaml the catalog names unasked, which no package uses',
  ]);
});
