import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileContracts, isCompiled } from '../../local/compilation/compileContracts.ts';
import { contractsHash } from '../../local/compilation/contractsHash.ts';
import { isWritten, sharedFacts, sharedFactsFolder, staleFacts } from './sharedFacts.ts';

/**
 * Brings the shipped build of the contracts up to date, and writes what Solidity and TypeScript share into
 * packages/vault/src/generated; a file that would not change is not touched. With `--check`, or with CI=true,
 * nothing is written: a file that is out of date fails, since the result could not be committed there.
 */
if (process.argv.includes('--check') || process.env['CI'] === 'true') {
  const stale = isCompiled(contractsHash()) ? staleFacts() : ['contracts/compiled'];
  for (const name of stale) process.stdout.write(`${name} is out of date: run \`npx -y pnpm@12 gen\` and commit it\n`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  await compileContracts();
  mkdirSync(sharedFactsFolder, { recursive: true });
  for (const [name, text] of sharedFacts()) {
    if (!isWritten(name, text)) writeFileSync(join(sharedFactsFolder, name), text);
  }
}
