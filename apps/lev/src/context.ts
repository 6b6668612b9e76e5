import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StackFile } from '@core/devnet/stack-file';
import { FriendlyError } from '@core/runtime';
import { curlOf, Lev, type LevUser, type SentRequest, type Wallet } from '@core/sdk';
import type { Store } from '@core/store';
import type { Host } from './host.ts';

type Options = Readonly<Record<string, string | boolean>>;
type Account = StackFile['accounts'][number];

const defaultAccount = 'alice';
const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** What commands work with; each part is opened when it is first asked for. */
export interface Context {
  readonly host: Host;
  /** An option's text, or null where it was not given. */
  option(name: string): string | null;
  isSet(name: string): boolean;
  /** Folder of the local stack. */
  readonly stateDir: string;
  /** @throws FriendlyError when no stack runs. */
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

/** Opens nothing yet. */
export function openContext(host: Host, options: Options): Context {
  const { environment } = host;
  const stateDir = path.resolve(environment['LEV_STATE_DIR'] ?? path.join(repositoryRoot, '.lev'));
  const opened: Store[] = [];
  const option = (name: string): string | null => {
    const given = options[name];
    return typeof given === 'string' ? given : null;
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
    const found = accounts.find((one) => one.name === name);
    if (found !== undefined) return found;
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
      opened.push(store);
      return store;
    },
    databaseUrl,
    close: async () => {
      for (const store of opened) await store.close();
    },
  };
}

/** @throws FriendlyError when the file is missing or is not whole. */
function readStack(file: string): StackFile {
  if (!existsSync(file)) {
    throw new FriendlyError(`no stack runs here (${file} is missing): start one with \`npx -y pnpm@12 start\``);
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new FriendlyError(`${file} is no JSON: stop the stack and start it again`, { cause });
  }
}
