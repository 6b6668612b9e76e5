import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { contractsHash } from '@core/contracts/local';
import { FriendlyError } from '@core/runtime';
import { checkContracts, type Deployed, readDeployed } from './deployment.ts';
import { choosePorts } from './ports.ts';
import {
  apiProgram,
  chainProgram,
  consoleProgram,
  consoleUrlOf,
  type GroundedPlan,
  keeperProgram,
  postgresProgram,
  priceSignerPrograms,
  priceSignersOf,
  rpcUrlOf,
  type StackPlan,
  venueProgram,
  venueUrlOf,
} from './programs.ts';
import { resetStack } from './resetStack.ts';
import { checkServer, openStackDatabase, type StackDatabase } from './stackDatabase.ts';
import { keptPorts, seedOf, writeChoices } from './state/choices.ts';
import { openSecrets } from './state/secrets.ts';
import type { StackFile } from './state/stackFile.ts';
import type { StateFolder } from './state/stateFolder.ts';
import { writePrivately } from './state/writePrivately.ts';
import { recoverFolder } from './supervision/runRecord.ts';
import { Supervisor } from './supervision/supervisor.ts';

export interface StackOptions {
  readonly folder: StateFolder;
  readonly portBase: number | null;
  /** A PostgreSQL to use in place of the embedded one. */
  readonly databaseServerUrl: string | null;
  /** Seed of the venue's worlds; null for that of the last start, or the usual one. */
  readonly seed: string | null;
  /** Deletes what is kept and begins anew. */
  readonly isFresh: boolean;
  /** Ends a start that is under way: what was started is stopped again. */
  readonly signal: AbortSignal;
  /** One line for the reader about a thing that is ready. */
  readonly onReady: (name: string, detail: string) => void;
  readonly onNotice: (line: string) => void;
}

export interface Stack {
  readonly file: StackFile;
  stop(): Promise<void>;
}

/** Programs in the order in which they stop: what asks before what answers. */
const stopOrder = [
  ['console'],
  ['keeper', 'price-signer', 'second-price-signer', 'api'],
  ['venue-sim'],
  ['chain', 'postgres'],
] as const;

/** Longest wait for a first market that takes positions; the stack is ready without one, too. */
const firstMarketTimeoutMs = 10_000;

/**
 * Starts everything, from where the last start left it, and writes `.lev/stack.json` when all of it is ready. Whatever
 * was started is stopped again when something fails. Stopping removes the file first.
 * @throws FriendlyError with one line that says what to do.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { folder, onNotice } = options;
  const plan = await makePlan(options);
  let writeFile = (): void => undefined;
  const supervisor = new Supervisor(folder, { onNotice, onChange: () => writeFile() });
  const stop = async (): Promise<void> => {
    rmSync(folder.stack, { force: true });
    await supervisor.stop(stopOrder);
    rmSync(folder.run, { force: true });
  };
  const cancel = (): void => void supervisor.stop(stopOrder);
  options.signal.addEventListener('abort', cancel, { once: true });
  try {
    const grounded = await startPrograms(options, plan, supervisor);
    const fileOf = (): StackFile => stackFileOf(grounded.plan, grounded.database, supervisor.processes);
    await waitForMarkets(fileOf(), options.signal);
    if (options.signal.aborted) throw new FriendlyError('The start was interrupted.');
    writeFile = () => writePrivately(folder.stack, `${JSON.stringify(fileOf(), null, 2)}\n`);
    writeFile();
    return { file: fileOf(), stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', cancel);
  }
}

/** Clears what a killed start left, resets where that is asked for, and settles what this start and later ones use. */
async function makePlan({ folder, onNotice, portBase, ...options }: StackOptions): Promise<StackPlan> {
  if (options.databaseServerUrl !== null) await checkServer(options.databaseServerUrl);
  const ended = await recoverFolder(folder);
  if (ended.length > 0) onNotice(`cleared what a killed start had left: ${ended.join(', ')}`);
  if (options.isFresh && (await resetStack(folder, options.databaseServerUrl))) {
    onNotice('begins anew: chain, venue, database, keys and positions of the last start are deleted');
  }
  const deployed = readDeployed(folder.deployment);
  checkContracts(deployed, contractsHash());
  const seed = seedOf(folder, options.seed);
  const { ports, moved } = await choosePorts(portBase, keptPorts(folder, portBase));
  for (const { name, from, to } of moved) onNotice(`port ${from} is taken, ${name} moves to ${to}`);
  writeChoices(folder, { portBase, ports, seed });
  if (deployed !== null) onNotice('goes on from where the last start ended; `--fresh` begins anew');
  return { folder, ports, secrets: openSecrets(folder), seed };
}

async function startPrograms(
  options: StackOptions,
  plan: StackPlan,
  supervisor: Supervisor,
): Promise<{ readonly plan: GroundedPlan; readonly database: StackDatabase }> {
  const { ports, folder } = plan;
  const { onReady } = options;
  const [serverUrl, deployed] = await Promise.all([
    openServer(options, plan, supervisor),
    openChain(plan, supervisor, onReady),
  ]);
  const { deployment } = deployed;
  const openVenue = async (): Promise<void> => {
    await supervisor.start(venueProgram(plan, deployed));
    onReady('Venue simulator', `${venueUrlOf(plan)}   seed ${plan.seed}`);
  };
  const [database] = await Promise.all([
    openStackDatabase(serverUrl, folder, { deploymentId: deployed.id, nowMs: Date.now() }),
    openVenue(),
  ]);
  const place = options.databaseServerUrl === null ? `(${folder.postgres})` : '(DATABASE_URL)';
  onReady('PostgreSQL', `${new URL(serverUrl).host}   ${place}`);
  const grounded: GroundedPlan = { ...plan, deployment, databaseUrl: database.databaseUrl };
  writePrivately(folder.quoteSignerKey, `${deployment.roles.quoteSigner.privateKey}\n`);
  await Promise.all([
    ...priceSignerPrograms(grounded).map((program) => supervisor.start(program)),
    supervisor.start(keeperProgram(grounded)),
    supervisor.start(apiProgram(grounded)),
    supervisor.start(
      consoleProgram(grounded, { partnerKey: firstPartnerOf(database).apiKey, accounts: accountsOf(deployment) }),
    ),
  ]);
  onReady('API', `http://127.0.0.1:${ports.api}/v1/prediction-markets`);
  onReady('Console', consoleUrlOf(grounded));
  const signers = priceSignersOf(grounded).map(({ account, url }) => `${account.address} ${url}`);
  onReady('Price signers', signers.join('  '));
  onReady('Keeper', `logs in ${plan.folder.logs}`);
  return { plan: grounded, database };
}

/** A PostgreSQL server in which a database can be made. */
async function openServer(options: StackOptions, plan: StackPlan, supervisor: Supervisor): Promise<string> {
  if (options.databaseServerUrl !== null) return options.databaseServerUrl;
  await supervisor.start(postgresProgram(plan));
  return `postgres://postgres:postgres@127.0.0.1:${plan.ports.postgres}/postgres`;
}

async function openChain(plan: StackPlan, supervisor: Supervisor, onReady: StackOptions['onReady']): Promise<Deployed> {
  await supervisor.start(chainProgram(plan));
  const deployed = readDeployed(plan.folder.deployment);
  if (deployed === null) throw new FriendlyError('The chain has deployed nothing.');
  const { chainId, contracts } = deployed.deployment;
  const { vault, pool, usdc, exchange } = contracts;
  onReady(`Chain ${chainId}`, rpcUrlOf(plan));
  onReady('Contracts', `Vault ${vault}  Pool ${pool}  USDC ${usdc}  Venue ${exchange}`);
  return deployed;
}

function firstPartnerOf({ partners: [first] }: StackDatabase): StackFile['partners'][number] {
  if (first === undefined) throw new Error('a stack has partners');
  return first;
}

/** People of the local chain and their public test keys. */
function accountsOf({ roles }: GroundedPlan['deployment']): StackFile['accounts'] {
  const { alice, bob, carol, dave, erin, lp } = roles;
  return Object.entries({ alice, bob, carol, dave, erin, lp }).map(([name, account]) => ({ name, ...account }));
}

function stackFileOf(plan: GroundedPlan, database: StackDatabase, processes: Record<string, number>): StackFile {
  const { deployment, ports } = plan;
  const { roles, contracts, chainId } = deployment;
  const apiOrigin = `127.0.0.1:${ports.api}`;
  return {
    apiUrl: `http://${apiOrigin}/v1/prediction-markets`,
    wsUrl: `ws://${apiOrigin}/v1/ws/prediction-markets`,
    rpcUrl: rpcUrlOf(plan),
    chainId,
    venueUrl: venueUrlOf(plan),
    databaseUrl: database.databaseUrl,
    contracts,
    partner: { apiKey: firstPartnerOf(database).apiKey },
    partners: [...database.partners],
    accounts: accountsOf(deployment),
    signerAddress: roles.quoteSigner.address,
    consoleUrl: consoleUrlOf(plan),
    priceSigners: priceSignersOf(plan).map(({ name, url, account }) => ({ name, url, address: account.address })),
    metricsUrl: `http://127.0.0.1:${ports.metrics}/metrics`,
    processes,
  };
}

/** A quote needs a few seconds of prices: what reads the file shall find a market that takes positions. */
async function waitForMarkets(file: StackFile, signal: AbortSignal): Promise<void> {
  const endMs = Date.now() + firstMarketTimeoutMs;
  const headers = { authorization: `Api-Key ${file.partner.apiKey}` };
  while (Date.now() < endMs && !signal.aborted) {
    const response = await fetch(`${file.apiUrl}/markets?accepting_new_positions=true&limit=1`, { headers });
    const body = (await response.json()) as { readonly data?: readonly unknown[] };
    if (response.ok && (body.data?.length ?? 0) > 0) return;
    await delay(250);
  }
}
