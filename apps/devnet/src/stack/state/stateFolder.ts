import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Begins anew, whatever is there. */
export const freshCommand = 'npx -y pnpm@12 start --fresh';

/** Where the local stack keeps everything; deleting it resets the stack. */
export interface StateFolder {
  readonly root: string;
  /** Data folder of the embedded PostgreSQL. */
  readonly postgres: string;
  readonly logs: string;
  /** Compiled modules of the programs. */
  readonly cache: string;
  /** Private files: only their owner may read them. */
  readonly secrets: string;
  readonly tokenKeys: string;
  readonly quoteSignerKey: string;
  /** The chain: its checkpoint and its blocks since. */
  readonly chain: string;
  /** What was deployed on it. */
  readonly deployment: string;
  /** What the venue keeps beside the chain. */
  readonly venue: string;
  /** Name of the database, and the partners' keys. */
  readonly database: string;
  /** Ports and seed of the last start. */
  readonly choices: string;
  /** The machine-readable twin of what is printed; exists only while everything is ready. */
  readonly stack: string;
  /** Who runs here, and the processes it has started: read by the next start after a crash. */
  readonly run: string;
}

/** The folder `LEV_STATE_DIR` names, else `.lev` beside the workspace. Created when missing. */
export function openStateFolder(stateDir: string | undefined): StateFolder {
  const root = path.resolve(stateDir ?? path.join(repositoryRoot, '.lev'));
  const logs = path.join(root, 'logs');
  mkdirSync(logs, { recursive: true });
  return {
    root,
    logs,
    cache: path.join(root, 'cache'),
    postgres: path.join(root, 'pg'),
    secrets: path.join(root, 'secrets.json'),
    tokenKeys: path.join(root, 'token-keys.json'),
    quoteSignerKey: path.join(root, 'quote-signer.key'),
    chain: path.join(root, 'chain'),
    deployment: path.join(root, 'deployment.json'),
    venue: path.join(root, 'venue'),
    database: path.join(root, 'database.json'),
    choices: path.join(root, 'choices.json'),
    stack: path.join(root, 'stack.json'),
    run: path.join(root, 'run.json'),
  };
}
