import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Deployment, deploymentIn } from './deployment.ts';
import { createFreshDatabase, type FreshDatabase } from './freshDatabase.ts';
import { FriendlyError } from './friendlyError.ts';
import { choosePorts } from './ports.ts';
import {
  apiProgram,
  chainProgram,
  type GroundedPlan,
  keeperProgram,
  postgresProgram,
  priceSignerProgram,
  rpcUrlOf,
  type StackPlan,
  venueProgram,
  venueUrlOf,
} from './programs.ts';
import { recoverFolder } from './runRecord.ts';
import { openSecrets } from './secrets.ts';
import type { StackFile } from './stackFile.ts';
import type { StateFolder } from './stateFolder.ts';
import { Supervisor } from './supervisor.ts';
import { writePrivately } from './writePrivately.ts';

export interface StackOptions {
  readonly folder: StateFolder;
  readonly portBase: number | null;
  /** A PostgreSQL to use in place of the embedded one. */
  readonly databaseServerUrl: string | null;
  readonly seed: string;
  /** Ends a start that is under way: what was started is stopped again. */
  readonly signal: AbortSignal;
  /** One line for the reader about a thing that is ready. */
  readonly onReady: (name: string, detail: string) => void;
  readonly onNotice: (line: string) => void;
  /** A program the stack cannot be without has ended. */
  readonly onFatal: (line: string) => void;
}

export interface Stack {
  readonly file: StackFile;
  stop(): Promise<void>;
}

/** Programs in the order in which they stop: what asks before what answers. */
const stopOrder = [['keeper', 'price-signer', 'api'], ['venue-sim'], ['chain', 'postgres']] as const;

/** Longest wait for a first market that takes positions; the stack is ready without one, too. */
const firstMarketTimeoutMs = 10_000;

/**
 * Starts everything and writes `.lev/stack.json` when all of it is ready. Whatever was started is stopped again when
 * something fails. Stopping removes the file first.
 * @throws FriendlyError with one line that says what to do.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { folder, onNotice } = options;
  const ended = await recoverFolder(folder);
  if (ended.length > 0) onNotice(`cleared what a killed start had left: ${ended.join(', ')}`);
  const { ports, moved } = await choosePorts(options.portBase);
  for (const { name, from, to } of moved) onNotice(`port ${from} is taken, ${name} moves to ${to}`);
  const plan: StackPlan = { folder, ports, secrets: openSecrets(folder), seed: options.seed };
  let writeFile = (): void => undefined;
  const supervisor = new Supervisor(folder, {
    onNotice,
    onChange: () => writeFile(),
    onFatal: (name, how) => options.onFatal(`${name} ended (${how}); see ${folder.logs}/${name}.log`),
  });
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

async function startPrograms(
  options: StackOptions,
  plan: StackPlan,
  supervisor: Supervisor,
): Promise<{ readonly plan: GroundedPlan; readonly database: FreshDatabase }> {
  const { ports } = plan;
  const { onReady } = options;
  const [database, deployment] = await Promise.all([
    openDatabase(options, plan, supervisor),
    openChain(plan, supervisor, onReady).then(async (deployed) => {
      await supervisor.start(venueProgram(plan, deployed), { isRestartable: false });
      onReady('Venue simulator', `${venueUrlOf(plan)}   seed ${plan.seed}`);
      return deployed;
    }),
  ]);
  const grounded: GroundedPlan = { ...plan, deployment, databaseUrl: database.databaseUrl };
  writePrivately(plan.folder.quoteSignerKey, `${deployment.roles.quoteSigner.privateKey}\n`);
  const restartable = { isRestartable: true };
  await Promise.all([
    supervisor.start(priceSignerProgram(grounded), restartable),
    supervisor.start(keeperProgram(grounded), restartable),
    supervisor.start(apiProgram(grounded), restartable),
  ]);
  onReady('API', `http://127.0.0.1:${ports.api}/v1/prediction-markets`);
  onReady('Keeper · price signer', `logs in ${plan.folder.logs}`);
  return { plan: grounded, database };
}

async function openDatabase(options: StackOptions, plan: StackPlan, supervisor: Supervisor): Promise<FreshDatabase> {
  const serverUrl = options.databaseServerUrl ?? (await openPostgres(plan, supervisor));
  const database = await createFreshDatabase(serverUrl, plan.folder, Date.now());
  const place = options.databaseServerUrl === null ? `(${plan.folder.postgres})` : '(DATABASE_URL)';
  options.onReady('PostgreSQL', `${new URL(serverUrl).host}   ${place}`);
  return database;
}

async function openPostgres(plan: StackPlan, supervisor: Supervisor): Promise<string> {
  await supervisor.start(postgresProgram(plan), { isRestartable: false });
  return `postgres://postgres:postgres@127.0.0.1:${plan.ports.postgres}/postgres`;
}

async function openChain(
  plan: StackPlan,
  supervisor: Supervisor,
  onReady: StackOptions['onReady'],
): Promise<Deployment> {
  const chain = await supervisor.start(chainProgram(plan), { isRestartable: false });
  const deployment = deploymentIn(chain.output());
  if (deployment === null) throw new FriendlyError('The chain printed no deployment.');
  const { vault, pool, usdc, exchange } = deployment.contracts;
  onReady(`Chain ${deployment.chainId}`, rpcUrlOf(plan));
  onReady('Contracts', `Vault ${vault}  Pool ${pool}  USDC ${usdc}  Venue ${exchange}`);
  return deployment;
}

function stackFileOf(plan: GroundedPlan, database: FreshDatabase, processes: Record<string, number>): StackFile {
  const { deployment, ports } = plan;
  const { roles, contracts, chainId } = deployment;
  const apiOrigin = `127.0.0.1:${ports.api}`;
  const [first] = database.partners;
  if (first === undefined) throw new Error('a stack has partners');
  const people = { alice: roles.alice, bob: roles.bob, carol: roles.carol, dave: roles.dave, erin: roles.erin };
  return {
    apiUrl: `http://${apiOrigin}/v1/prediction-markets`,
    wsUrl: `ws://${apiOrigin}/v1/ws/prediction-markets`,
    rpcUrl: rpcUrlOf(plan),
    chainId,
    venueUrl: venueUrlOf(plan),
    databaseUrl: database.databaseUrl,
    contracts,
    partner: { apiKey: first.apiKey },
    partners: [...database.partners],
    accounts: Object.entries({ ...people, lp: roles.lp }).map(([name, account]) => ({ name, ...account })),
    signerAddress: roles.quoteSigner.address,
    priceSignerAddress: roles.priceSigner.address,
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
