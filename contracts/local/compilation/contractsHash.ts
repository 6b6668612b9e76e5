import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { contractsRoot } from '../contractsRoot.ts';
import { compilerVersion, shippedSettings } from './compiler.ts';

const nodeRequire = createRequire(import.meta.url);

/**
 * Hash all input of the compiler: sources, libraries of others by version, compiler and settings. A chain with other
 * contracts is another chain. Line ends of Windows count as those of the repository.
 *
 * @param root Folder of the contracts.
 * @returns 64 hexadecimal digits.
 */
export function contractsHash(root: string = contractsRoot): string {
  const { version }: { readonly version: string } = nodeRequire('@openzeppelin/contracts/package.json');
  const hash = createHash('sha256').update(JSON.stringify({ compilerVersion, shippedSettings, openZeppelin: version }));
  for (const folder of ['src', 'venue']) {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) {
      hash.update(relative(root, file)).update(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'));
    }
  }
  return hash.digest('hex');
}
