import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../../../', import.meta.url));

/** Where the local stack keeps everything it may lose; deleting it resets the stack. */
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
  /** Name of the database of the last start. */
  readonly database: string;
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
    database: path.join(root, 'database.json'),
    stack: path.join(root, 'stack.json'),
    run: path.join(root, 'run.json'),
  };
}
