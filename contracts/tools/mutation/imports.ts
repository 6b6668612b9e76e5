import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A line of a source, by its path from the root. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

/**
 * Return true when a Solidity file of a folder is another one or imports it, also indirectly; paths are relative.
 *
 * @param without Files whose imports are not followed, nor they themselves.
 */
export function reaches(
  root: string,
  [from, to]: readonly [from: string, to: string],
  without: readonly string[] = [],
) {
  const seen = new Set<string>(without);
  const open = [from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    if (path === to) return true;
    seen.add(path);
    for (const [, imported = ''] of readFileSync(join(root, path), 'utf8').matchAll(/^import\b[^;"]*"(\.[^"]*)";/gm)) {
      open.push(normalize(join(dirname(path), imported)));
    }
  }
  return false;
}
