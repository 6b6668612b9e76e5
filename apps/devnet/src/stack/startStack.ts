import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { contractsHash } from '@core/contracts/local';
import { type Route, routes } from '@core/policy';
import { FriendlyError, isRefusedByFetch, replaceFile } from '@core/runtime';
import { venueKeysText } from '@core/world';
import type { Progress } from '../progress.ts';
import { checkContracts, type Deployed, readDeployed } from './deployment.ts';
import { choosePorts } from './ports.ts';
import {
  apiProgram,
  chainProgram,
  consoleProgram,
  consoleUrlOf,
  fillerProgram,
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
import { recoverStack } from './recoverStack.ts';
import { resetStack } from './resetStack.ts';
import { checkServer, openStackDatabase, type StackDatabase } from './stackDatabase.ts';
import { lastPortsOf, seedOf, writeChoices } from './state/choices.ts';
import { openSecrets } from './state/secrets.ts';
import type { StackFile } from './state/stackFile.ts';
import type { StateFolder } from './state/stateFolder.ts';
import { Supervisor } from './supervision/supervisor.ts';

export interface StackOptions {
  readonly folder: StateFolder;
  readonly portBase: number | null;
  /** External PostgreSQL instead of the embedded one. */
  readonly databaseServerUrl: string | null;
  /** Seed of the venue's worlds; null for that of the last start, or the default. */
  readonly seed: string | null;
  /** Route of orders. */
  readonly route: Route;
  /** Seconds from one block to the next; 0 for a chain that mines at once. */
  readonly paceSeconds: number;
  /** Time of day at which a new chain begins, `HH:MM` in UTC; null for now. */
  readonly startTime: string | null;
  /** True to delete the stored state first. */
  readonly isFresh: boolean;
  /** Aborts a running start, which then stops all started programs. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export interface Stack {
  readonly file: StackFile;
  stop(): Promise<void>;
}

/** Programs in the order in which they stop: clients before servers. */
const stopOrder = [
  ['console'],
  ['keeper', 'filler', 'price-signer', 'second-price-signer', 'api'],
  ['venue-sim'],
  ['chain', 'postgres'],
] as const;

/** Longest wait for a first market that accepts positions; the stack is ready without one too. */
const firstMarketTimeoutMs = 10_000;

/**
 * Start everything from the state of the last start and write `.lev/stack.json` when all is ready. A failure stops all
 * started programs. Stopping removes the file first.
 *
 * @throws FriendlyError with one line that names the fix.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { folder } = options;
  const onNotice = noticeOf(options);
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
    const fileOf = (): StackFile => stackFileOf(grounded.plan, grounded.database, supervisor);
    await options.progress.phase('First market', waitForMarkets(fileOf(), options.signal));
    if (options.signal.aborted) throw new FriendlyError('The start was interrupted.');
    writeFile = () => replaceFile(folder.stack, `${JSON.stringify(fileOf(), null, 2)}\n`);
    writeFile();
    return { file: fileOf(), stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', cancel);
  }
}

/** Clear leftovers of a killed start, reset on request, and fix the choices for this start and later ones. */
async function makePlan({ folder, portBase, ...options }: StackOptions): Promise<StackPlan> {
  const onNotice = noticeOf(options);
  if (options.databaseServerUrl !== null) await checkServer(options.databaseServerUrl);
  const ended = await recoverStack(folder);
  if (ended.length > 0) onNotice(`cleared leftovers of a killed start: ${ended.join(', ')}`);
  if (options.isFresh && (await resetStack(folder, options.databaseServerUrl))) {
    onNotice('starting from scratch: chain, venue, database, keys and positions of the last start are deleted');
  }
  const deployed = readDeployed(folder.deployment);
  checkContracts(deployed, contractsHash());
  const seed = seedOf(folder, options.seed);
  const { ports, moved } = await choosePorts(portBase, lastPortsOf(folder, portBase));
  for (const { name, from, to } of moved) {
    onNotice(`port ${from} is ${isRefusedByFetch(from) ? 'refused by fetch' : 'in use'}, ${name} moves to ${to}`);
  }
  writeChoices(folder, { portBase, ports, seed });
  if (deployed !== null) onNotice('resuming the last start; `--fresh` starts from scratch');
  const { route, startTime, paceSeconds } = options;
  return { folder, ports, secrets: openSecrets(folder), seed, route, startTime, paceSeconds };
}

/**
 * Start each program as soon as its inputs exist. A program waits for neighbours that are not yet in service, so that
 * both cores of a small machine are busy from the beginning.
 */
async function startPrograms(
  options: StackOptions,
  plan: StackPlan,
  supervisor: Supervisor,
): Promise<{ readonly plan: GroundedPlan; readonly database: StackDatabase }> {
  const { folder, progress } = options;
  const server = openServer(options, plan, supervisor);
  const chain = progress.phase('Chain', openChain(plan, supervisor), ({ deployment }) => {
    return `${rpcUrlOf(plan)}   chain ${deployment.chainId}`;
  });
  const openDatabase = async (): Promise<StackDatabase> => {
    const [serverUrl, { id }] = await Promise.all([server, chain]);
    return openStackDatabase(serverUrl, folder, { deploymentId: id, nowMs: Date.now() });
  };
  const database = progress.phase('PostgreSQL', openDatabase(), ({ databaseUrl }) => {
    const place = options.databaseServerUrl === null ? folder.postgres : 'DATABASE_URL';
    return `${new URL(databaseUrl).host}   ${place}`;
  });
  const venue = chain.then((deployed) => {
    replaceFile(folder.venueKeys, venueKeysText(deployed.deployment.roles));
    const venue = supervisor.start(venueProgram(plan, deployed));
    return progress.phase('Venue', venue, () => `${venueUrlOf(plan)}   seed ${plan.seed}`);
  });
  const service = Promise.all([chain, database]).then(([{ id, deployment }, opened]) =>
    startService(
      { options, plan: { ...plan, chainKey: id, deployment, databaseUrl: opened.databaseUrl }, supervisor },
      opened,
    ),
  );
  const [grounded, opened] = await Promise.all([service, database, venue]);
  return { plan: grounded, database: opened };
}

/** Start the programs that need chain and database. */
async function startService(
  start: { readonly options: StackOptions; readonly plan: GroundedPlan; readonly supervisor: Supervisor },
  database: StackDatabase,
): Promise<GroundedPlan> {
  const { options, plan, supervisor } = start;
  const { progress, folder } = options;
  const { deployment, ports } = plan;
  replaceFile(folder.quoteSignerKey, `${deployment.roles.quoteSigner.privateKey}\n`);
  replaceFile(folder.keeperKey, `${deployment.roles.keeper.privateKey}\n`);
  const [filler] = deployment.roles.fillers;
  if (filler === undefined) throw new Error('a deployment has a filler');
  replaceFile(folder.fillerKey, `${filler.privateKey}\n`);
  for (const { keyFile, account } of priceSignersOf(plan)) replaceFile(keyFile, `${account.privateKey}\n`);
  const page = { partnerKey: firstPartnerOf(database).apiKey, accounts: accountsOf(deployment) };
  const signers = priceSignerPrograms(plan).map((program) => supervisor.start(program));
  await Promise.all([
    progress.phase('Price signers', Promise.all(signers), () => {
      return priceSignersOf(plan)
        .map(({ url }) => url)
        .join('   ');
    }),
    progress.phase('Keeper', supervisor.start(keeperProgram(plan))),
    ...(routes[plan.route].hasFillers ? [progress.phase('Filler', supervisor.start(fillerProgram(plan)))] : []),
    progress.phase(
      'API',
      supervisor.start(apiProgram(plan)),
      () => `http://127.0.0.1:${ports.api}/v1/prediction-markets`,
    ),
    progress.phase('Console', supervisor.start(consoleProgram(plan, page)), () => consoleUrlOf(plan)),
  ]);
  return plan;
}

function noticeOf({ progress }: Pick<StackOptions, 'progress'>): (line: string) => void {
  return (line) => progress.line(`· ${line}`);
}

/** Return a PostgreSQL server in which a database can be created. */
async function openServer(options: StackOptions, plan: StackPlan, supervisor: Supervisor): Promise<string> {
  if (options.databaseServerUrl !== null) return options.databaseServerUrl;
  await supervisor.start(postgresProgram(plan));
  return `postgres://postgres:postgres@127.0.0.1:${plan.ports.postgres}/postgres`;
}

async function openChain(plan: StackPlan, supervisor: Supervisor): Promise<Deployed> {
  await supervisor.start(chainProgram(plan));
  const deployed = readDeployed(plan.folder.deployment);
  if (deployed === null) throw new FriendlyError('The chain has no deployment.');
  return deployed;
}

function firstPartnerOf({ partners: [first] }: StackDatabase): StackFile['partners'][number] {
  if (first === undefined) throw new Error('a stack has partners');
  return first;
}

/** Return the accounts of the local chain and their public test keys. */
function accountsOf({ roles }: GroundedPlan['deployment']): StackFile['accounts'] {
  const { alice, bob, carol, dave, erin, lp } = roles;
  return Object.entries({ alice, bob, carol, dave, erin, lp }).map(([name, account]) => ({ name, ...account }));
}

function stackFileOf(
  plan: GroundedPlan,
  database: StackDatabase,
  { processes, states }: Pick<Supervisor, 'processes' | 'states'>,
): StackFile {
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
    fillerAddresses: roles.fillers.map(({ address }) => address),
    signerAddress: roles.quoteSigner.address,
    consoleUrl: consoleUrlOf(plan),
    priceSigners: priceSignersOf(plan).map(({ name, url, account }) => ({ name, url, address: account.address })),
    metricsUrl: `http://127.0.0.1:${ports.metrics}/metrics`,
    processes,
    programs: states,
  };
}

/** Wait until a market accepts positions: a quote needs a few seconds of prices. */
async function waitForMarkets(file: StackFile, signal: AbortSignal): Promise<void> {
  const endMs = Date.now() + firstMarketTimeoutMs;
  const headers = { authorization: `Api-Key ${file.partner.apiKey}` };
  while (Date.now() < endMs && !signal.aborted) {
    const response = await fetch(`${file.apiUrl}/markets?accepting_new_positions=true&limit=1`, {
      headers,
      redirect: 'error',
    });
    const body: unknown = await response.json();
    const data: unknown = Object(body).data;
    if (response.ok && Array.isArray(data) && data.length > 0) return;
    await delay(250);
  }
}
