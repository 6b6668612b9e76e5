import { chmodSync, renameSync, writeFileSync } from 'node:fs';

/** Write a file that only its owner may read, in one step: readers see the old text or the new one. */
export function writePrivately(file: string, text: string): void {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, text, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
