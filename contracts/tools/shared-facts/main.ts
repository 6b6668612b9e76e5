import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isWritten, sharedFacts, sharedFactsFolder, staleFacts } from './sharedFacts.ts';

/**
 * Writes what Solidity and TypeScript share into packages/vault/src/generated; a file that would not change is not
 * touched. With `--check` nothing is written: it fails when a file is out of date.
 */
if (process.argv.includes('--check')) {
  const stale = await staleFacts();
  for (const name of stale) process.stdout.write(`${name} is out of date: run gen\n`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  mkdirSync(sharedFactsFolder, { recursive: true });
  for (const [name, text] of await sharedFacts()) {
    if (!isWritten(name, text)) writeFileSync(join(sharedFactsFolder, name), text);
  }
}
