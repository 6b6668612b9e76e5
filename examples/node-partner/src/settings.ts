import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Hex, isHex } from 'viem';

/** Settings of the back end. It includes the key of the user's wallet only because an example has no other signer. */
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

/** Read the four `LEV_*` variables; defaults are those of the running local stack. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { LEV_API_URL: apiUrl, LEV_API_KEY: apiKey, LEV_RPC_URL: rpcUrl, LEV_PRIVATE_KEY: privateKey } = environment;
  if (apiUrl !== undefined && apiKey !== undefined && rpcUrl !== undefined && privateKey !== undefined) {
    if (!isHex(privateKey)) throw new Error('LEV_PRIVATE_KEY must be hexadecimal digits after 0x');
    return { apiUrl, apiKey, rpcUrl, privateKey };
  }
  const folder = environment['LEV_STATE_DIR'] ?? path.join(repositoryRoot, '.lev');
  const file: StackFile = JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8'));
  const account = file.accounts.find(({ name }) => name === 'alice');
  if (account === undefined) throw new Error('the stack has no account alice');
  return { apiUrl: file.apiUrl, apiKey: file.partner.apiKey, rpcUrl: file.rpcUrl, privateKey: account.privateKey };
}
