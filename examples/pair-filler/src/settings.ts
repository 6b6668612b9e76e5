import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Address, Hex } from 'viem';
import type { FillerSettings } from './pairFiller.ts';

interface StackFile {
  readonly rpcUrl: string;
  readonly venueUrl: string;
  readonly contracts: { readonly vault: Address; readonly pairFiller: Address };
  readonly accounts: readonly { readonly name: string; readonly privateKey: Hex }[];
}

const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Read the settings of the running local stack, and fill with the account of one of its users. */
export function readSettings(environment: NodeJS.ProcessEnv): FillerSettings {
  const folder = environment['LEV_STATE_DIR'] ?? path.join(repositoryRoot, '.lev');
  const stack: StackFile = JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8'));
  const account = stack.accounts.find(({ name }) => name === 'dave');
  if (account === undefined) throw new Error('the stack has no account dave');
  return {
    rpcUrl: stack.rpcUrl,
    venueUrl: stack.venueUrl,
    vault: stack.contracts.vault,
    pairFiller: stack.contracts.pairFiller,
    privateKey: account.privateKey,
    marginBps: 5n,
    gasUsdcUnits: 10_000n,
    takesSales: environment['FILL'] !== 'openings',
    say: (line) => process.stdout.write(`${line}\n`),
  };
}
