import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Whether a Solidity file of a folder is another one or imports it, however indirectly; paths are relative to it. */
export function reaches(root: string, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path === to) return true;
    if (seen.has(path)) continue;
    seen.add(path);
    for (const [, imported] of readFileSync(join(root, path), 'utf8').matchAll(/^import\b[^;"]*"(\.[^"]*)";/gm)) {
      open.push(normalize(join(dirname(path), imported as string)));
    }
  }
  return false;
}
