import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Hex } from 'viem';

/** What the back end has to know. The key of the user's wallet is here only because no one else signs in an example. */
export interface Settings {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly rpcUrl: string;
  readonly privateKey: Hex;
}

interface StackFile {
  readonly apiUrl: string;
  readonly rpcUrl: string;
  readonly partner: { readonly apiKey: string };
  readonly accounts: readonly { readonly name: string; readonly privateKey: Hex }[];
}

const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** The four `LEV_*` variables, or the local stack that runs. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { LEV_API_URL: apiUrl, LEV_API_KEY: apiKey, LEV_RPC_URL: rpcUrl, LEV_PRIVATE_KEY: privateKey } = environment;
  if (apiUrl !== undefined && apiKey !== undefined && rpcUrl !== undefined && privateKey !== undefined) {
    return { apiUrl, apiKey, rpcUrl, privateKey: privateKey as Hex };
  }
  const folder = environment['LEV_STATE_DIR'] ?? path.join(repositoryRoot, '.lev');
  const file = JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8')) as StackFile;
  const account = file.accounts.find(({ name }) => name === 'alice');
  if (account === undefined) throw new Error('the stack has no account alice');
  return { apiUrl: file.apiUrl, apiKey: file.partner.apiKey, rpcUrl: file.rpcUrl, privateKey: account.privateKey };
}
