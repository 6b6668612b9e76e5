import { Fault } from '@core/errors';
import {
  address,
  connectChain,
  databaseUrl,
  FriendlyError,
  fileOf,
  nodeSettings,
  nodesOfEnv,
  optional,
  privateKey,
  readEnvironment,
  required,
} from '@core/runtime';
import { openStore, requireMigrated, type Store } from '@core/store';
import { createWalletClient, custom } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Operated } from './command.ts';
import { operate } from './operate.ts';
import { requireVault } from './vault/readVault.ts';

/**
 * `pnpm operate …`: run one operator command, which prints one JSON value. All processes of the service apply it within
 * a second. Commands on the database need `DATABASE_URL`, those on vault and pool `RPC_URL`, `CHAIN_ID` and
 * `VAULT_ADDRESS`, and a key in `OPERATOR_KEY_FILE` to send what they print without one. A refusal is one line on
 * standard error, with `--json` also a document, and exit code 2; a failed check ends with 7.
 */
const databaseSettings = { DATABASE_URL: required(databaseUrl) };
const vaultSettings = {
  ...nodeSettings,
  VAULT_ADDRESS: required(address),
  OPERATOR_KEY_FILE: optional(fileOf(privateKey)),
};

const refusedExitCode = 2;
const failedCheckExitCode = 7;
const words = process.argv.slice(2);
const isJson = words.includes('--json');
const stores: Store[] = [];

const readDatabaseUrl = (): string =>
  readEnvironment({ program: 'operate', settings: databaseSettings, ownPrefixes: [] }, process.env).DATABASE_URL;

const operations = {
  store: async () => {
    const url = readDatabaseUrl();
    await requireMigrated(url);
    const store = openStore({ databaseUrl: url, maxConnections: 1 });
    stores.push(store);
    return store;
  },
  databaseUrl: readDatabaseUrl,
  vault: async () => {
    const env = readEnvironment({ program: 'operate', settings: vaultSettings, ownPrefixes: [] }, process.env);
    const client = await connectChain({ ...nodesOfEnv(env), timeoutMs: 10_000 });
    await requireVault(client, env.VAULT_ADDRESS);
    const key = env.OPERATOR_KEY_FILE;
    const account = key === undefined ? null : privateKeyToAccount(key);
    const wallet = account && createWalletClient({ account, transport: custom(client, { retryCount: 0 }) });
    return { client, vault: env.VAULT_ADDRESS, wallet };
  },
  environment: process.env,
  nowMs: Date.now,
};

function print({ value, text, isFailedCheck = false }: Operated): void {
  process.stdout.write(`${isJson || text === undefined ? JSON.stringify(value) : text}\n`);
  if (isFailedCheck) process.exitCode = failedCheckExitCode;
}

try {
  print(await operate(words, operations));
} catch (cause) {
  if (!(cause instanceof FriendlyError || cause instanceof Fault)) throw cause;
  if (isJson) process.stdout.write(`${JSON.stringify({ refused: cause.message })}\n`);
  process.stderr.write(`${cause.message}\n`);
  process.exitCode = refusedExitCode;
} finally {
  for (const store of stores) await store.close();
}
