import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StackFile, stackFileSchema } from '@core/devnet/stack-file';
import { FriendlyError } from '@core/runtime';
import { curlOf, Lev, type LevUser, type SentRequest, type Wallet } from '@core/sdk';
import type { Store } from '@core/store';
import type { Host } from './host.ts';

type Options = Readonly<Record<string, string | boolean>>;
type Account = StackFile['accounts'][number];

const defaultAccount = 'alice';
const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Dependencies of the commands. Each is opened on first use. */
export interface Context {
  readonly host: Host;
  /** Return the text of an option, null when it is absent. */
  option(name: string): string | null;
  isSet(name: string): boolean;
  /** Folder of the local stack. */
  readonly stateDir: string;
  /** Read the stack file. @throws FriendlyError when no stack runs. */
  stack(): StackFile;
  lev(): Lev;
  /** The account that `--as` names. */
  account(name?: string): Account;
  user(account?: Account): LevUser;
  wallet(account?: Account): Promise<Wallet>;
  store(): Promise<Store>;
  databaseUrl(): string;
  close(): Promise<void>;
}

/** Create the context of one command; nothing is opened yet. */
export function openContext(host: Host, options: Options): Context {
  const { environment } = host;
  const stateDir = path.resolve(environment['LEV_STATE_DIR'] ?? path.join(repositoryRoot, '.lev'));
  const stores: Store[] = [];
  const option = (name: string): string | null => {
    const value = options[name];
    return typeof value === 'string' ? value : null;
  };
  const stack = (): StackFile => readStack(path.join(stateDir, 'stack.json'));
  const onRequest = (request: SentRequest): void => {
    if (options['curl'] === true) host.err(`${curlOf(request)}\n`);
  };
  const lev = (): Lev => {
    const baseUrl = environment['LEV_API_URL'];
    const apiKey = environment['LEV_API_KEY'];
    if (baseUrl !== undefined) return new Lev({ baseUrl, onRequest, ...(apiKey !== undefined && { apiKey }) });
    const { apiUrl, partner, rpcUrl } = stack();
    return new Lev({ baseUrl: apiUrl, apiKey: apiKey ?? partner.apiKey, chain: rpcUrl, onRequest });
  };
  const account = (name = option('as') ?? defaultAccount): Account => {
    const { accounts } = stack();
    const match = accounts.find((one) => one.name === name);
    if (match !== undefined) return match;
    throw new FriendlyError(`the stack has no account ${name}: ${accounts.map((one) => one.name).join(', ')}`);
  };
  const databaseUrl = (): string => environment['DATABASE_URL'] ?? stack().databaseUrl;
  return {
    host,
    option,
    isSet: (name) => options[name] === true,
    stateDir,
    stack,
    lev,
    account,
    user: (of = account()) => {
      const client = lev();
      return client.asUser(() => client.tokens.create({ wallet_address: of.address }));
    },
    wallet: async (of = account()) => (await import('./wallet.ts')).walletOf(stack(), of.privateKey),
    store: async () => {
      const { openStore } = await import('@core/store');
      const store = openStore({ databaseUrl: databaseUrl(), maxConnections: 1 });
      stores.push(store);
      return store;
    },
    databaseUrl,
    close: async () => {
      for (const store of stores) await store.close();
    },
  };
}

/** Read the stack file. @throws FriendlyError when the file is missing or is not JSON. */
function readStack(file: string): StackFile {
  if (!existsSync(file)) {
    throw new FriendlyError(`no local stack is running (${file} is missing): start one with \`npx -y pnpm@12 start\``);
  }
  try {
    return stackFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new FriendlyError(`${file} is not valid JSON: restart the stack`, { cause });
  }
}
