import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Survives a restart of the machine, other than /tmp on many systems. */
const publicRoot = '/var/tmp';
const othersMayEnter = 0o001;

/** Return true when any user may enter a folder: it exists, and it and its parents have the execute bit for others. */
export async function isEnterable(folder: string): Promise<boolean> {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    const mode = await stat(current).then(
      (found) => found.mode,
      () => null,
    );
    if (mode === null || (mode & othersMayEnter) === 0) {
      return false;
    }
    if (current === path.dirname(current)) {
      return true;
    }
  }
}

/** Return a folder outside root's home in place of another one, always the same for the same one. */
export function publicFolderFor(purpose: string, folder: string): string {
  const hash = createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 16);
  return path.join(publicRoot, `embedded-postgres-${purpose}-${hash}`);
}
