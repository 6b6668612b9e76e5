import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dropOldFiles } from './builtFiles.ts';

const dayS = 86_400;
const nowS = 1_800_000_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'console-builds-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, ageS: number): void {
  const file = path.join(folder, name);
  writeFileSync(file, name);
  utimesSync(file, nowS - ageS, nowS - ageS);
}

test('old files: of the last seven days → stay, older ones → deleted', () => {
  write('page-now.js', 0);
  write('page-before.js', 7 * dayS);
  write('page-old.js', 7 * dayS + 1);
  dropOldFiles(folder, nowS * 1_000);
  expect(readdirSync(folder).toSorted()).toEqual(['page-before.js', 'page-now.js']);
});

test('old files: more than the maximum → the newest stay', () => {
  for (let ageS = 0; ageS < 20; ageS += 1) write(`page-${ageS}.js`, ageS);
  dropOldFiles(folder, nowS * 1_000, { maxAgeMs: dayS * 1_000, maxFiles: 3 });
  expect(readdirSync(folder).toSorted()).toEqual(['page-0.js', 'page-1.js', 'page-2.js']);
});

test('old files: no folder yet → nothing to delete', () => {
  expect(() => dropOldFiles(path.join(folder, 'none'), 0)).not.toThrow();
});
