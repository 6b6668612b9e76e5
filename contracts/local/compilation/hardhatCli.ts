import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractsRoot } from '../contractsRoot.ts';

/** Return the program of Hardhat's command line, for a process of its own; null when Hardhat is not installed. */
export function hardhatCli(): string | null {
  // A development dependency: the packages of a start come without it.
  if (!existsSync(join(contractsRoot, 'node_modules', 'hardhat'))) return null;
  return join(dirname(fileURLToPath(import.meta.resolve('hardhat'))), 'cli.js');
}
