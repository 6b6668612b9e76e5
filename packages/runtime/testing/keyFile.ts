import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Folder of all keys of this process; null until the first one is written. */
let folder: string | null = null;
const files = new Map<string, string>();

/**
 * Return a private file that holds a key, or several as JSON, for a program that takes them as one; removed when this
 * process ends.
 */
export function keyFileOf(text: string): string {
  folder ??= openFolder();
  const file = files.get(text) ?? path.join(folder, `private-${files.size}.key`);
  if (!files.has(text)) writeFileSync(file, `${text}\n`, { mode: 0o600 });
  files.set(text, file);
  return file;
}

/** Create a folder that is removed at exit, by one listener however many keys are written. */
function openFolder(): string {
  const created = mkdtempSync(path.join(tmpdir(), 'key-'));
  process.once('exit', () => rmSync(created, { recursive: true, force: true }));
  return created;
}
