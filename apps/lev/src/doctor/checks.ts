import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type StackFile, stackFileSchema } from '@core/devnet/stack-file';
import { isServiceError } from '@core/sdk';
import type { Context } from '../context.ts';
import { probe, rpcResult } from '../probe.ts';

export interface Finding {
  readonly ok: boolean;
  readonly detail: string;
}

/** One thing that can be wrong. */
export interface Check {
  readonly name: string;
  /** Checks without which this one says nothing. */
  readonly after: readonly string[];
  readonly look: (context: Context) => Promise<Finding>;
  /** What helps, as a command where there is one. */
  readonly fix: string;
}

const startAgain = 'Stop the stack with Ctrl-C and start it again: npx -y pnpm@12 start';
const lookAtLogs = (program: string): string =>
  `Read npx -y pnpm@12 lev logs ${program}; the runner starts it again by itself.`;
const good = (detail: string): Finding => ({ ok: true, detail });
const bad = (detail: string): Finding => ({ ok: false, detail });
const findingOf = (ok: boolean, detail: string): Finding => ({ ok, detail });

const oldestNode = 24;
/** Files that hold secrets, in the folder of the stack. */
const privateFiles = ['secrets.json', 'token-keys.json', 'quote-signer.key', 'database.json'] as const;
const othersMayRead = 0o077;
/** The local chain makes a block a second; a busy machine may take longer. */
const oldestBlockS = 60;
const fileOf = ({ stateDir }: Context): string => path.join(stateDir, 'stack.json');

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    // The process exists and belongs to another user.
    return cause instanceof Error && Reflect.get(cause, 'code') === 'EPERM';
  }
}

async function checkProcesses({ stack }: Context): Promise<Finding> {
  const gone = Object.entries(stack().processes).filter(([, pid]) => !isAlive(pid));
  return gone.length === 0 ? good('all alive') : bad(`not running: ${gone.map(([name]) => name).join(', ')}`);
}

async function checkChain({ stack }: Context): Promise<Finding> {
  const { rpcUrl, chainId } = stack();
  const found = await rpcResult(rpcUrl, 'eth_chainId');
  if (found === null) return bad(`${rpcUrl} does not answer`);
  return findingOf(Number(found) === chainId, `${rpcUrl} is chain ${Number(found)}, the stack's is ${chainId}`);
}

async function checkBlocks({ stack }: Context): Promise<Finding> {
  const block = await rpcResult(stack().rpcUrl, 'eth_getBlockByNumber', ['latest', false]);
  const atS = Number(typeof block === 'object' && block !== null ? Reflect.get(block, 'timestamp') : Number.NaN);
  // A moved clock runs ahead; only a chain that stands still falls behind.
  const ageS = Math.floor(Date.now() / 1_000) - atS;
  return findingOf(ageS <= oldestBlockS, `the last block is ${Math.max(0, ageS)} s old`);
}

async function checkContracts({ stack }: Context): Promise<Finding> {
  const { rpcUrl, contracts } = stack();
  for (const [name, address] of Object.entries(contracts)) {
    const code = await rpcResult(rpcUrl, 'eth_getCode', [address, 'latest']);
    if (typeof code !== 'string' || code === '0x') return bad(`there is no contract at ${name} ${address}`);
  }
  return good('deployed');
}

async function checkApi({ stack }: Context): Promise<Finding> {
  const { apiUrl } = stack();
  const { status, failure } = await probe(new URL('/healthz', apiUrl));
  return findingOf(status === 200, status === 200 ? apiUrl : `${apiUrl} answers ${status ?? failure}`);
}

async function checkReadiness({ stack }: Context): Promise<Finding> {
  const { status, body } = await probe(new URL('/readyz', stack().apiUrl));
  const missing: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'missing') : null;
  return findingOf(status === 200, status === 200 ? 'ready' : `not ready: ${JSON.stringify(missing ?? body)}`);
}

async function checkKey({ lev }: Context): Promise<Finding> {
  try {
    await lev().limits();
    return good('accepted');
  } catch (cause) {
    if (!isServiceError(cause)) throw cause;
    return bad(cause.message);
  }
}

async function checkSigner({ lev, stack }: Context): Promise<Finding> {
  const { signerAddress, contracts } = stack();
  const info = await lev().contractInfo();
  const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
  if (!isSame(info.polygon_vault_contract_address, contracts.vault)) {
    return bad(
      `the API quotes for the vault ${info.polygon_vault_contract_address}, the stack's is ${contracts.vault}`,
    );
  }
  const { polygon_signer_address: signer } = info;
  return findingOf(isSame(signer, signerAddress), `the API signs as ${signer}, the stack's signer is ${signerAddress}`);
}

async function checkVenue({ stack }: Context): Promise<Finding> {
  const { venueUrl } = stack();
  const { status, failure } = await probe(`${venueUrl}/control/clock`);
  return findingOf(status === 200, status === 200 ? venueUrl : `${venueUrl} answers ${status ?? failure}`);
}

async function checkDatabase({ databaseUrl }: Context): Promise<Finding> {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: databaseUrl(), connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return good('answers');
  } catch (cause) {
    return bad(cause instanceof Error ? cause.message : String(cause));
  } finally {
    await client.end();
  }
}

async function checkMigrations({ databaseUrl }: Context): Promise<Finding> {
  const { pendingMigrations } = await import('@core/store');
  try {
    const pending = await pendingMigrations(databaseUrl());
    return pending.length === 0 ? good('all applied') : bad(`${pending.length} pending: ${pending.join(', ')}`);
  } catch (cause) {
    return bad(cause instanceof Error ? cause.message : String(cause));
  }
}

async function checkFiles({ stateDir }: Context): Promise<Finding> {
  const open = privateFiles.filter((name) => {
    const file = path.join(stateDir, name);
    return existsSync(file) && (statSync(file).mode & othersMayRead) !== 0;
  });
  return open.length === 0 ? good('private') : bad(`others may read ${open.join(', ')}`);
}

function parsedStack(context: Context): StackFile | null {
  try {
    const parsed = stackFileSchema.safeParse(JSON.parse(readFileSync(fileOf(context), 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/** Every check; what others stand on comes first. */
export const checks: readonly Check[] = [
  {
    name: 'node',
    after: [],
    look: async () => findingOf(Number(process.versions.node.split('.')[0]) >= oldestNode, process.version),
    fix: 'Run it through the project: npx -y pnpm@12 lev doctor',
  },
  {
    name: 'running',
    after: [],
    look: async (context) => (existsSync(fileOf(context)) ? good('started') : bad(`${fileOf(context)} is missing`)),
    fix: 'No stack runs. Start one: npx -y pnpm@12 start',
  },
  {
    name: 'stack file',
    after: ['running'],
    look: async (context) =>
      parsedStack(context) === null ? bad('stack.json is not as it is written') : good('whole'),
    fix: startAgain,
  },
  { name: 'files', after: [], look: checkFiles, fix: 'Take the rights away: chmod 600 on the files that are named.' },
  { name: 'processes', after: ['running', 'stack file'], look: checkProcesses, fix: startAgain },
  { name: 'chain', after: ['running', 'stack file'], look: checkChain, fix: lookAtLogs('chain') },
  { name: 'blocks', after: ['running', 'stack file', 'chain'], look: checkBlocks, fix: startAgain },
  {
    name: 'contracts',
    after: ['running', 'stack file', 'chain'],
    look: checkContracts,
    fix: 'The chain is another than the one that was deployed to. Begin anew: npx -y pnpm@12 start --fresh',
  },
  { name: 'database', after: ['running', 'stack file'], look: checkDatabase, fix: lookAtLogs('postgres') },
  {
    name: 'migrations',
    after: ['running', 'stack file', 'database'],
    look: checkMigrations,
    fix: 'Stop the stack, bring its database to this version with npx -y pnpm@12 lev migrate, and start it again.',
  },
  { name: 'venue', after: ['running', 'stack file'], look: checkVenue, fix: lookAtLogs('venue-sim') },
  { name: 'api', after: ['running', 'stack file'], look: checkApi, fix: lookAtLogs('api') },
  { name: 'readiness', after: ['running', 'stack file', 'api'], look: checkReadiness, fix: lookAtLogs('keeper') },
  {
    name: 'api key',
    after: ['running', 'stack file', 'api'],
    look: checkKey,
    fix: 'Issue one with npx -y pnpm@12 lev keys issue local, and give it as LEV_API_KEY.',
  },
  {
    name: 'signer',
    after: ['running', 'stack file', 'api'],
    look: checkSigner,
    fix: 'The API was started for another deployment. Stop the stack and start it again.',
  },
];
