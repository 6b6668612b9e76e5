import path from 'node:path';
import { type Route, routes } from '@core/policy';
import {
  apiEnvironment,
  entryOf,
  fillerEnvironment,
  keeperEnvironment,
  type LocalWorld,
  priceSignerEnvironment,
  venueEnvironment,
} from '@core/world';
import type { Deployed, Deployment } from './deployment.ts';
import type { Ports } from './ports.ts';
import type { Secrets } from './state/secrets.ts';
import type { StateFolder } from './state/stateFolder.ts';
import { answersWell, type ChildProgram } from './supervision/child.ts';

/** Plan that the programs of one stack share. */
export interface StackPlan {
  readonly folder: StateFolder;
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly seed: string;
  readonly route: Route;
  /** Seconds from one block to the next; 0 for a chain that mines at once. */
  readonly paceSeconds: number;
  /** Time of day at which a new chain begins, `HH:MM` in UTC; null for now. */
  readonly startTime: string | null;
}

/** The plan once chain and database run. */
export interface GroundedPlan extends StackPlan {
  /** Identifier of the chain. */
  readonly chainKey: string;
  readonly deployment: Deployment;
  readonly databaseUrl: string;
}

/** Return the file of a program beside this one. */
const childOf = (name: string) => path.join(import.meta.dirname, name);
const origin = (port: number) => `http://127.0.0.1:${port}`;
const logFileOf = (folder: StateFolder, name: string) => path.join(folder.logs, `${name}.log`);

export function rpcUrlOf(plan: StackPlan): string {
  return origin(plan.ports.chain);
}

export function consoleUrlOf(plan: StackPlan): string {
  return origin(plan.ports.console);
}

export function venueUrlOf(plan: StackPlan): string {
  return origin(plan.ports.venue);
}

export function postgresProgram({ folder, ports }: StackPlan): ChildProgram {
  return {
    name: 'postgres',
    entry: childOf('postgresChild.ts'),
    environment: { PGDATA: folder.postgres, PGPORT: String(ports.postgres) },
    logFile: logFileOf(folder, 'postgres'),
    isReady: async (output) => output.includes('{"databaseUrl"'),
    readyTimeoutMs: 60_000,
  };
}

/** Return the program that resumes the chain, or deploys to a new one. */
export function chainProgram({ folder, ports, startTime, paceSeconds }: StackPlan): ChildProgram {
  return {
    name: 'chain',
    entry: childOf('chainChild.ts'),
    environment: {
      CHAIN_PORT: String(ports.chain),
      CHAIN_DIR: folder.chain,
      DEPLOYMENT_FILE: folder.deployment,
      CHAIN_PACE_SECONDS: String(paceSeconds),
      ...(startTime !== null && { CHAIN_START_TIME: startTime }),
    },
    logFile: logFileOf(folder, 'chain'),
    isReady: async (output) => output.includes('{"rpcUrl"'),
    readyTimeoutMs: 600_000,
  };
}

export function venueProgram(plan: StackPlan, { id, deployment }: Deployed): ChildProgram {
  const { ports, folder } = plan;
  return {
    name: 'venue-sim',
    entry: entryOf('venue-sim'),
    environment: {
      ...venueEnvironment({ rpcUrl: rpcUrlOf(plan), deployment }, { keysFile: folder.venueKeys, port: ports.venue }),
      VENUE_SIM_SEED: plan.seed,
      // Named after the chain: state of the venue is useless on another one.
      VENUE_SIM_JOURNAL: path.join(folder.venue, `${id}.ndjson`),
    },
    logFile: logFileOf(folder, 'venue-sim'),
    isReady: () => answersWell(`${venueUrlOf(plan)}/ok`),
    readyTimeoutMs: 60_000,
  };
}

/** Return the world that every program of the service reads. */
function worldOf(plan: GroundedPlan): LocalWorld {
  const url = venueUrlOf(plan);
  return {
    rpcUrl: rpcUrlOf(plan),
    deployment: plan.deployment,
    venue: { url, wsUrl: url.replace('http', 'ws') },
    clockUrl: url,
    route: plan.route,
    blockSeconds: plan.paceSeconds,
  };
}

/** Return the price signers of the stack, each with its own key, secret and feed. Every order needs both. */
export function priceSignersOf({ folder, ports, deployment, secrets }: GroundedPlan) {
  const { priceSigner, secondPriceSigner } = deployment.roles;
  const [first, second] = secrets.priceSignerSecrets;
  const [keyFile, secondKeyFile] = folder.priceSignerKeys;
  return [
    { name: 'price-signer', port: ports.priceSigner, account: priceSigner, secret: first, keyFile },
    {
      name: 'second-price-signer',
      port: ports.secondPriceSigner,
      account: secondPriceSigner,
      secret: second,
      keyFile: secondKeyFile,
    },
  ].map((signer) => ({ ...signer, url: origin(signer.port) }));
}

export function priceSignerPrograms(plan: GroundedPlan): readonly ChildProgram[] {
  return priceSignersOf(plan).map(({ name, url, ...signer }) => ({
    name,
    entry: entryOf('price-signer'),
    environment: priceSignerEnvironment(worldOf(plan), signer),
    logFile: logFileOf(plan.folder, name),
    isReady: () => answersWell(`${url}/readyz`),
    readyTimeoutMs: 60_000,
  }));
}

export function keeperProgram(plan: GroundedPlan): ChildProgram {
  const metricsPort = plan.ports.keeperMetrics;
  return {
    name: 'keeper',
    entry: entryOf('keeper'),
    environment: keeperEnvironment(worldOf(plan), {
      databaseUrl: plan.databaseUrl,
      keyFile: plan.folder.keeperKey,
      signers: priceSignersOf(plan),
      oracle: plan.deployment.roles.oracle.address,
      metricsPort,
    }),
    logFile: logFileOf(plan.folder, 'keeper'),
    isReady: () => answersWell(`${origin(metricsPort)}/healthz`),
    readyTimeoutMs: 60_000,
  };
}

/** Return the program that fills grants, with the float of a local account. */
export function fillerProgram(plan: GroundedPlan): ChildProgram {
  const metricsPort = plan.ports.fillerMetrics;
  return {
    name: 'filler',
    entry: entryOf('filler'),
    environment: fillerEnvironment(worldOf(plan), {
      keyFile: plan.folder.fillerKey,
      // Named after the chain: accounts of another one are useless.
      journalFile: path.join(plan.folder.filler, `${plan.chainKey}.ndjson`),
      metricsPort,
    }),
    logFile: logFileOf(plan.folder, 'filler'),
    isReady: () => answersWell(`${origin(metricsPort)}/healthz`),
    readyTimeoutMs: 60_000,
  };
}

export function apiProgram(plan: GroundedPlan): ChildProgram {
  const { folder, ports, databaseUrl } = plan;
  const { quoteSignerKey: quoteSignerKeyFile, tokenKeys: tokenKeysFile } = folder;
  return {
    name: 'api',
    entry: entryOf('api'),
    environment: {
      ...apiEnvironment(worldOf(plan), { databaseUrl, quoteSignerKeyFile, tokenKeysFile, port: ports.api }),
      METRICS_PORT: String(ports.metrics),
      ENVIRONMENT: 'sandbox',
      // A front end in development runs on this machine on a port of its own.
      CORS_ORIGINS: 'http://localhost:*,http://127.0.0.1:*',
    },
    logFile: logFileOf(folder, 'api'),
    isReady: () => answersWell(`${origin(ports.api)}/readyz`),
    readyTimeoutMs: 60_000,
  };
}

/** Return the program that serves the console. It gets tokens with the partner's key, which no page sees. */
export function consoleProgram(
  plan: GroundedPlan,
  { partnerKey, accounts }: { readonly partnerKey: string; readonly accounts: readonly object[] },
): ChildProgram {
  const { contracts, chainId } = plan.deployment;
  return {
    name: 'console',
    entry: entryOf('console'),
    environment: {
      CONSOLE_PORT: String(plan.ports.console),
      CONSOLE_PARTNER_KEY: partnerKey,
      CONSOLE_ACCOUNTS: JSON.stringify(accounts),
      CONSOLE_VENUE_URL: venueUrlOf(plan),
      CONSOLE_API_OPERATIONS_URL: origin(plan.ports.metrics),
      CONSOLE_KEEPER_OPERATIONS_URL: origin(plan.ports.keeperMetrics),
      ...(routes[plan.route].hasFillers && { CONSOLE_FILLER_OPERATIONS_URLS: origin(plan.ports.fillerMetrics) }),
      API_URL: `${origin(plan.ports.api)}/v1/prediction-markets`,
      RPC_URL: rpcUrlOf(plan),
      CHAIN_ID: String(chainId),
      VAULT_ADDRESS: contracts.vault,
      POOL_ADDRESS: contracts.pool,
    },
    logFile: logFileOf(plan.folder, 'console'),
    isReady: () => answersWell(`${consoleUrlOf(plan)}/healthz`),
    readyTimeoutMs: 120_000,
  };
}
