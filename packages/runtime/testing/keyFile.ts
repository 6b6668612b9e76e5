import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Folder of all keys of this process; null until the first one is written. */
let folder: string | null = null;
let fileCount = 0;

/** Write a key into a private file, for a program that takes its key as one; removed when this process ends. */
export function keyFileOf(privateKey: string): string {
  folder ??= openFolder();
  fileCount += 1;
  const file = path.join(folder, `private-${fileCount}.key`);
  writeFileSync(file, `${privateKey}\n`, { mode: 0o600 });
  return file;
}

/** Create a folder that is removed at exit, by one listener however many keys are written. */
function openFolder(): string {
  const created = mkdtempSync(path.join(tmpdir(), 'key-'));
  process.once('exit', () => rmSync(created, { recursive: true, force: true }));
  return created;
}
