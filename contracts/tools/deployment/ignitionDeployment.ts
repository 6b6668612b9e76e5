import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A contract of an Ignition deployment, with the transaction that its journal says created it. */
export interface IgnitionContract {
  readonly address: string;
  readonly hash: string | undefined;
}

interface JournalEntry {
  readonly type?: string;
  readonly hash?: string;
  readonly receipt?: { readonly contractAddress?: string };
}

/**
 * Finds a contract by its name in a deployment's folder. What the journal says is not believed: its hash only says
 * which transaction to read from the chain.
 *
 * @throws Error naming the contracts where several have the name.
 */
export function ignitionContractOf(folder: string, name: string): IgnitionContract | null {
  const file = JSON.parse(readFileSync(join(folder, 'deployed_addresses.json'), 'utf8')) as Record<string, string>;
  const found = Object.entries(file).filter(([key]) => key.endsWith(`#${name}`));
  if (found.length > 1) {
    throw new Error(`${folder} has more than one ${name}: ${found.map((entry) => entry.join(' ')).join(', ')}`);
  }
  const [entry] = found;
  return entry === undefined ? null : { address: entry[1], hash: creationHashOf(folder, entry[1]) };
}

/** The confirmed transaction whose receipt names the contract. */
function creationHashOf(folder: string, address: string): string | undefined {
  const path = join(folder, 'journal.jsonl');
  if (!existsSync(path)) return undefined;
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"TRANSACTION_CONFIRM"'))
    .map((line) => JSON.parse(line) as JournalEntry)
    .find(({ receipt }) => receipt?.contractAddress?.toLowerCase() === address.toLowerCase())?.hash;
}
