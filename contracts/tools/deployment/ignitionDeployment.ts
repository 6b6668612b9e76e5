import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A contract of an Ignition deployment, with the transaction that its journal says created it. */
export interface IgnitionContract {
  readonly address: string;
  readonly hash: string | undefined;
}

interface JournalEntry {
  readonly hash?: unknown;
  readonly receipt?: unknown;
}

/**
 * Finds a contract by its name in a deployment's folder. What the journal says is not believed: its hash only says
 * which transaction to read from the chain.
 *
 * @throws Error naming the contracts where several have the name.
 */
export function ignitionContractOf(folder: string, name: string): IgnitionContract | null {
  const file: object = JSON.parse(readFileSync(join(folder, 'deployed_addresses.json'), 'utf8'));
  const matches = Object.entries(file)
    .filter(([key]) => key.endsWith(`#${name}`))
    .map(([key, address]) => [key, String(address)] as const);
  if (matches.length > 1) {
    throw new Error(`${folder} has more than one ${name}: ${matches.map((entry) => entry.join(' ')).join(', ')}`);
  }
  const [entry] = matches;
  return entry === undefined ? null : { address: entry[1], hash: creationHashOf(folder, entry[1]) };
}

/** The confirmed transaction whose receipt names the contract. */
function creationHashOf(folder: string, address: string): string | undefined {
  const path = join(folder, 'journal.jsonl');
  if (!existsSync(path)) return undefined;
  const entries = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"TRANSACTION_CONFIRM"'))
    .map((line): JournalEntry => Object(JSON.parse(line)));
  const creation = entries.find(
    ({ receipt }) => String(Object(receipt).contractAddress).toLowerCase() === address.toLowerCase(),
  );
  return typeof creation?.hash === 'string' ? creation.hash : undefined;
}
