import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program of Hardhat's command line, for a process of its own. */
export const hardhatCli = join(dirname(fileURLToPath(import.meta.resolve('hardhat'))), 'cli.js');
