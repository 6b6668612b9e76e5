import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Which contracts a record speaks of: the first 16 hexadecimal digits of SHA-256 over every file of `src`, comments and
 * white space left out, so that it changes with the code and not with what is said of it.
 *
 * @param root Of the contracts.
 */
export function codeDigestOf(root: string): string {
  const folder = join(root, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.sol'));
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const code = readFileSync(join(folder, file), 'utf8').replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '');
    hash.update(`${file}\n${code.replace(/\s+/g, ' ')}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
