import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { contractsRoot } from '../../local/contractsRoot.ts';

/**
 * Puts files and folders of the contracts, as they are now, into a folder where they can be built differently. The copy
 * shares packages and documents with the checkout; whatever else an earlier copy left there stays.
 *
 * @param names Relative to the contracts' root.
 * @returns The root of the copied contracts.
 */
export function copyProject(folder: string, names: readonly string[]): string {
  const root = join(folder, 'contracts');
  mkdirSync(root, { recursive: true });
  for (const [target, path] of [
    [resolve(contractsRoot, '../packages'), join(folder, 'packages')],
    [resolve(contractsRoot, '../docs'), join(folder, 'docs')],
    [join(contractsRoot, 'node_modules'), join(root, 'node_modules')],
  ] as const) {
    if (!existsSync(path)) symlinkSync(target, path);
  }
  for (const name of names) {
    rmSync(join(root, name), { recursive: true, force: true });
    mkdirSync(dirname(join(root, name)), { recursive: true });
    cpSync(join(contractsRoot, name), join(root, name), { recursive: true });
  }
  return root;
}
