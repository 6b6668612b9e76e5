import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type StackFile, stackFileSchema } from '@core/devnet/stack-file';
import { isServiceError } from '@core/sdk';
import type { Context } from '../context.ts';
import { probe, rpcResult } from '../probe.ts';
import { fillsFindingOf } from './fillsFinding.ts';
import { bad, type Finding, fieldOf, good } from './finding.ts';
import { keepersFindingOf } from './keepersFinding.ts';

/** One check of the local stack. */
export interface Check {
  readonly name: string;
  /** Checks that must pass before this one is meaningful. */
  readonly after: readonly string[];
  readonly run: (context: Context) => Promise<Finding>;
  /** Suggested fix, as a command where there is one. */
  readonly fix: string;
}

const restartFix = 'Stop the stack with Ctrl-C, then start it: npx -y pnpm@12 start';
const readLogsFix = (program: string): string =>
  `Read the log: npx -y pnpm@12 lev logs ${program}. The runner restarts the program automatically.`;
const waitFix = 'The runner restarts it automatically. Repeat npx -y pnpm@12 lev doctor in a few seconds.';
const findingOf = (ok: boolean, detail: string): Finding => ({ ok, detail });

const minimumNodeMajor = 24;
/** Files with secrets in the state folder of the stack. */
const privateFiles = [
  'secrets.json',
  'token-keys.json',
  'quote-signer.key',
  'keeper.key',
  'price-signer.key',
  'second-price-signer.key',
  'database.json',
] as const;
const nonOwnerBits = 0o077;
/** Maximum age of the last block. The local chain makes one a second, fewer on a busy machine. */
const maximumBlockAgeS = 60;
/** Maximum lead of the chain's clock. Beyond it a quote, valid for 15 s, expires before a wallet can send it. */
const maximumLeadS = 5;
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
  const { processes, programs } = stack();
  const isRestarting = (name: string): boolean => programs[name]?.state === 'restarting';
  const endedPrograms = Object.entries(processes).filter(([name, pid]) => !isAlive(pid) && !isRestarting(name));
  if (endedPrograms.length > 0) return bad(`not running: ${endedPrograms.map(([name]) => name).join(', ')}`);
  const names = Object.entries(programs)
    .filter(([name]) => isRestarting(name))
    .map(([name, { lastEnd }]) => `${name} (${lastEnd ?? 'ended'})`);
  if (names.length === 0) return good('all running');
  return { ...bad(`restarting: ${names.join(', ')}`), fix: waitFix };
}

async function checkChain({ stack }: Context): Promise<Finding> {
  const { rpcUrl, chainId } = stack();
  const nodeChainId = await rpcResult(rpcUrl, 'eth_chainId');
  if (nodeChainId === null) return bad(`no response from ${rpcUrl}`);
  return findingOf(Number(nodeChainId) === chainId, `chain ${Number(nodeChainId)} at ${rpcUrl}, expected ${chainId}`);
}

/** Compare the chain's clock with the service's, which is the venue's. */
async function checkBlocks({ stack }: Context): Promise<Finding> {
  const { rpcUrl, venueUrl } = stack();
  const block = await rpcResult(rpcUrl, 'eth_getBlockByNumber', ['latest', false]);
  const { body } = await probe(`${venueUrl}/control/clock`);
  const ageS = Math.floor(Number(fieldOf(body, 'now_ms')) / 1_000) - Number(fieldOf(block, 'timestamp'));
  if (ageS >= -maximumLeadS) return findingOf(ageS <= maximumBlockAgeS, `the last block is ${Math.max(0, ageS)} s old`);
  return bad(`the chain's clock is ${-ageS} s ahead of the service: quotes expire on chain before they are used`);
}

/** Check the keepers whose heartbeat the API read within the last minute. */
async function checkKeepers({ stack }: Context): Promise<Finding> {
  const { body } = await probe(new URL('/readyz', stack().apiUrl));
  return keepersFindingOf(body);
}

/** Check that a filler takes the grants of the last minutes. */
async function checkFills({ stack }: Context): Promise<Finding> {
  const { body } = await probe(new URL('/readyz', stack().apiUrl));
  return fillsFindingOf(body);
}

async function checkContracts({ stack }: Context): Promise<Finding> {
  const { rpcUrl, contracts } = stack();
  for (const [name, address] of Object.entries(contracts)) {
    const code = await rpcResult(rpcUrl, 'eth_getCode', [address, 'latest']);
    if (typeof code !== 'string' || code === '0x') return bad(`no contract code at ${name} ${address}`);
  }
  return good('deployed');
}

async function checkApi({ stack }: Context): Promise<Finding> {
  const { apiUrl } = stack();
  const { status, failure } = await probe(new URL('/healthz', apiUrl));
  return findingOf(status === 200, status === 200 ? apiUrl : `${apiUrl}: ${status ?? failure}`);
}

async function checkReadiness({ stack }: Context): Promise<Finding> {
  const { status, body } = await probe(new URL('/readyz', stack().apiUrl));
  if (status === 200) return good('ready');
  const missing = fieldOf(body, 'missing');
  const detail = `not ready: ${JSON.stringify(missing ?? body)}`;
  // Where keepers alone are missing, their fix is the fix.
  const isOfKeepers = Array.isArray(missing) && missing.every((need) => String(need).startsWith('keeper_'));
  const keepers = isOfKeepers ? keepersFindingOf(body) : null;
  return keepers === null || keepers.ok ? bad(detail) : { ...keepers, detail: `${detail}; ${keepers.detail}` };
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
    return bad(`the API quotes for vault ${info.polygon_vault_contract_address}, expected ${contracts.vault}`);
  }
  const { polygon_signer_address: signer } = info;
  return findingOf(isSame(signer, signerAddress), `the API signs as ${signer}, expected ${signerAddress}`);
}

async function checkVenue({ stack }: Context): Promise<Finding> {
  const { venueUrl } = stack();
  const { status, failure } = await probe(`${venueUrl}/control/clock`);
  return findingOf(status === 200, status === 200 ? venueUrl : `${venueUrl}: ${status ?? failure}`);
}

async function checkDatabase({ databaseUrl }: Context): Promise<Finding> {
  const { requireSession } = await import('@core/store');
  try {
    await requireSession(databaseUrl());
    return good('writable, session settings hold');
  } catch (cause) {
    return bad(cause instanceof Error ? cause.message : String(cause));
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
    return existsSync(file) && (statSync(file).mode & nonOwnerBits) !== 0;
  });
  return open.length === 0 ? good('private') : bad(`readable by other users: ${open.join(', ')}`);
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

/** All checks, each after those it depends on. */
export const checks: readonly Check[] = [
  {
    name: 'node',
    after: [],
    run: async () => findingOf(Number(process.versions.node.split('.')[0]) >= minimumNodeMajor, process.version),
    fix: 'Run the command with the Node version of the project: npx -y pnpm@12 lev doctor',
  },
  {
    name: 'running',
    after: [],
    run: async (context) => (existsSync(fileOf(context)) ? good('started') : bad(`${fileOf(context)} is missing`)),
    fix: 'Start a stack: npx -y pnpm@12 start',
  },
  {
    name: 'stack file',
    after: ['running'],
    run: async (context) =>
      parsedStack(context) === null ? bad('stack.json does not match its schema') : good('valid'),
    fix: restartFix,
  },
  { name: 'files', after: [], run: checkFiles, fix: 'Restrict these files to their owner: chmod 600 <file>' },
  { name: 'processes', after: ['running', 'stack file'], run: checkProcesses, fix: restartFix },
  { name: 'chain', after: ['running', 'stack file'], run: checkChain, fix: readLogsFix('chain') },
  {
    name: 'contracts',
    after: ['running', 'stack file', 'chain'],
    run: checkContracts,
    fix: 'The chain is not the one of the deployment. Start from scratch: npx -y pnpm@12 start --fresh',
  },
  { name: 'database', after: ['running', 'stack file'], run: checkDatabase, fix: readLogsFix('postgres') },
  {
    name: 'migrations',
    after: ['running', 'stack file', 'database'],
    run: checkMigrations,
    fix: 'Stop the stack, run npx -y pnpm@12 lev migrate, then start the stack.',
  },
  { name: 'venue', after: ['running', 'stack file'], run: checkVenue, fix: readLogsFix('venue-sim') },
  { name: 'blocks', after: ['running', 'stack file', 'chain', 'venue'], run: checkBlocks, fix: restartFix },
  { name: 'api', after: ['running', 'stack file'], run: checkApi, fix: readLogsFix('api') },
  { name: 'fills', after: ['running', 'stack file', 'processes', 'api'], run: checkFills, fix: readLogsFix('filler') },
  {
    name: 'readiness',
    after: ['running', 'stack file', 'processes', 'api', 'fills'],
    run: checkReadiness,
    fix: readLogsFix('keeper'),
  },
  {
    name: 'keepers',
    after: ['running', 'stack file', 'processes', 'chain', 'venue', 'blocks', 'api', 'readiness'],
    run: checkKeepers,
    fix: readLogsFix('keeper'),
  },
  {
    name: 'api key',
    after: ['running', 'stack file', 'api'],
    run: checkKey,
    fix: 'Issue a key with npx -y pnpm@12 lev keys issue local and set LEV_API_KEY to it.',
  },
  {
    name: 'signer',
    after: ['running', 'stack file', 'api'],
    run: checkSigner,
    fix: 'The API was started for another deployment. Restart the stack.',
  },
];
