import { expect, test } from 'vitest';
import { failedFilesOf, unsteadyLines } from './failedFiles.ts';

const file = (name: string, status: string, tests: Readonly<Record<string, string>>) => ({
  name,
  status,
  assertionResults: Object.entries(tests).map(([fullName, testStatus]) => ({ fullName, status: testStatus })),
});

const results = JSON.stringify({
  testResults: [
    file('/checkout/apps/a/good.test.ts', 'passed', { 'a law': 'passed' }),
    file('/checkout/apps/a/bad.test.ts', 'failed', { 'a law': 'passed', 'broken law': 'failed', 'not run': 'skipped' }),
    file('/checkout/apps/a/unloadable.test.ts', 'failed', {}),
  ],
});

test('failedFilesOf: a failed test, and a file that does not load → both files', () => {
  expect(failedFilesOf(results)).toEqual([
    { file: '/checkout/apps/a/bad.test.ts', tests: ['broken law'] },
    { file: '/checkout/apps/a/unloadable.test.ts', tests: [] },
  ]);
  expect(() => failedFilesOf('{}')).toThrow(/testResults/);
});

test('unsteadyLines: failed files → one line for each test, with the path from the root', () => {
  expect(unsteadyLines(failedFilesOf(results), '/checkout')).toEqual([
    'unsteady: apps/a/bad.test.ts › broken law',
    'unsteady: apps/a/unloadable.test.ts › (whole file)',
  ]);
});
