import {
  address,
  connectChain,
  databaseUrl,
  FriendlyError,
  fileOf,
  httpUrl,
  optional,
  privateKey,
  readEnvironment,
  required,
  wholeNumber,
} from '@core/runtime';
import { openStore, type Store } from '@core/store';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { operate } from './operate.ts';

/**
 * `pnpm operate …`: what an operator does to a running service, as one command that prints one JSON value. Every
 * process of the service acts on it within a second. Operations on the database need `DATABASE_URL`, those on the vault
 * `RPC_URL`, `CHAIN_ID` and `VAULT_ADDRESS`, and to send what they print a key in `OPERATOR_KEY_FILE`.
 */
const vaultSettings = {
  RPC_URL: required(httpUrl),
  CHAIN_ID: required(wholeNumber(1)),
  VAULT_ADDRESS: required(address),
  OPERATOR_KEY_FILE: optional(fileOf(privateKey)),
};

const opened: Store[] = [];
try {
  const store = () => {
    const settings = { DATABASE_URL: required(databaseUrl) };
    const env = readEnvironment({ program: 'operate', settings, ownPrefixes: [] }, process.env);
    const next = openStore({ databaseUrl: env.DATABASE_URL, maxConnections: 1 });
    opened.push(next);
    return next;
  };
  const vault = async () => {
    const env = readEnvironment({ program: 'operate', settings: vaultSettings, ownPrefixes: [] }, process.env);
    const client = await connectChain({ rpcUrl: env.RPC_URL, chainId: env.CHAIN_ID, timeoutMs: 10_000 });
    const key = env.OPERATOR_KEY_FILE;
    const account = key === undefined ? null : privateKeyToAccount(key);
    const wallet = account && createWalletClient({ account, transport: http(env.RPC_URL) });
    return { client, vault: env.VAULT_ADDRESS, wallet };
  };
  const operations = { markets: () => store().markets, oracles: () => store().oracles, vault, nowMs: Date.now };
  const result = await operate(process.argv.slice(2), operations);
  process.stdout.write(`${JSON.stringify(result)}\n`);
} catch (cause) {
  if (!(cause instanceof FriendlyError)) throw cause;
  process.stderr.write(`${cause.message}\n`);
  process.exitCode = 2;
} finally {
  for (const store of opened) await store.close();
}
