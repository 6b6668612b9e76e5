import { stat } from 'node:fs/promises';
import path from 'node:path';

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
