import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type VaultLibraries, vaultLibraryNames } from '../../local/vaultLibraries.ts';
import { type Place, reaches } from './imports.ts';

export const vaultSource = 'src/Vault.sol';

/** The file of a library that the vault links. */
export const sourceOf = (name: keyof VaultLibraries): string => `src/${name}.sol`;

/** The files of the libraries that the vault links. */
export const linkedSources: readonly string[] = vaultLibraryNames.map(sourceOf);

/**
 * Return true when a change may alter the vault's own code: it contains the code of its imports, but of its linked
 * libraries only the internal functions that it calls.
 */
export function changesVault(root: string, { path, line }: Place): boolean {
  if (reaches(root, [vaultSource, path], linkedSources)) return true;
  if (!linkedSources.includes(path)) return false;
  const before = readFileSync(join(root, path), 'utf8').split('\n').slice(0, line).join('\n');
  const changed = [...before.matchAll(/\bfunction (?<name>\w+)/g)].at(-1)?.groups?.['name'];
  const called = `${basename(path, '.sol')}.${changed}(`;
  return changed === undefined || readFileSync(join(root, vaultSource), 'utf8').includes(called);
}
