import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Command that starts from scratch. */
export const freshCommand = 'npx -y pnpm@12 start --fresh';

/** Paths of all state of the local stack; deleting the folder resets it. */
export interface StateFolder {
  readonly root: string;
  /** Data folder of the embedded PostgreSQL. */
  readonly postgres: string;
  readonly logs: string;
  /** Private files that only their owner may read. */
  readonly secrets: string;
  readonly tokenKeys: string;
  readonly quoteSignerKey: string;
  readonly keeperKey: string;
  readonly fillerKey: string;
  /** Journals of the filler, one for each chain. */
  readonly filler: string;
  readonly venueKeys: string;
  readonly priceSignerKeys: readonly [string, string];
  /** Checkpoint of the chain and its later blocks. */
  readonly chain: string;
  /** Result of the deployment. */
  readonly deployment: string;
  /** Journal of the venue. */
  readonly venue: string;
  /** Name of the database, and the partners' keys. */
  readonly database: string;
  /** Ports and seed of the last start. */
  readonly choices: string;
  /** Machine-readable form of the printed summary; exists only while everything is ready. */
  readonly stack: string;
  /** The runner and its processes, read by the next start after a crash. */
  readonly run: string;
}

/** Open the folder of `LEV_STATE_DIR`, else `.lev` beside the workspace. Creates it when missing. */
export function openStateFolder(stateDir: string | undefined): StateFolder {
  const root = path.resolve(stateDir ?? path.join(repositoryRoot, '.lev'));
  const logs = path.join(root, 'logs');
  mkdirSync(logs, { recursive: true });
  return {
    root,
    logs,
    postgres: path.join(root, 'pg'),
    secrets: path.join(root, 'secrets.json'),
    tokenKeys: path.join(root, 'token-keys.json'),
    quoteSignerKey: path.join(root, 'quote-signer.key'),
    keeperKey: path.join(root, 'keeper.key'),
    fillerKey: path.join(root, 'filler.key'),
    filler: path.join(root, 'filler'),
    venueKeys: path.join(root, 'venue-keys.json'),
    priceSignerKeys: [path.join(root, 'price-signer.key'), path.join(root, 'second-price-signer.key')],
    chain: path.join(root, 'chain'),
    deployment: path.join(root, 'deployment.json'),
    venue: path.join(root, 'venue'),
    database: path.join(root, 'database.json'),
    choices: path.join(root, 'choices.json'),
    stack: path.join(root, 'stack.json'),
    run: path.join(root, 'run.json'),
  };
}
