import path from 'node:path';
import type { ChildProgram } from './child.ts';
import { answersWell, entryOf } from './child.ts';
import { type Deployment, deploymentIn } from './deployment.ts';
import type { Ports } from './ports.ts';
import type { Secrets } from './secrets.ts';
import type { StateFolder } from './stateFolder.ts';

/** What the programs of one stack share. */
export interface StackPlan {
  readonly folder: StateFolder;
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly seed: string;
}

/** The plan with what is known once the chain and the database run. */
export interface GroundedPlan extends StackPlan {
  readonly deployment: Deployment;
  readonly databaseUrl: string;
}

const origin = (port: number) => `http://127.0.0.1:${port}`;
const placesOf = (folder: StateFolder, name: string) => ({
  logFile: path.join(folder.logs, `${name}.log`),
  cacheFolder: folder.cache,
});

export function rpcUrlOf(plan: StackPlan): string {
  return origin(plan.ports.chain);
}

export function venueUrlOf(plan: StackPlan): string {
  return origin(plan.ports.venue);
}

export function postgresProgram({ folder, ports }: StackPlan): ChildProgram {
  return {
    name: 'postgres',
    entry: entryOf('apps/devnet/src/stack/postgresChild.ts'),
    environment: { PGDATA: folder.postgres, PGPORT: String(ports.postgres) },
    ...placesOf(folder, 'postgres'),
    isReady: async (output) => output.includes('{"databaseUrl"'),
    readyTimeoutMs: 60_000,
  };
}

/** Compiles, runs and deploys: the first start takes as long as the compiler does. */
export function chainProgram({ folder, ports }: StackPlan): ChildProgram {
  return {
    name: 'chain',
    entry: entryOf('contracts/local/main.ts'),
    environment: { PORT: String(ports.chain) },
    ...placesOf(folder, 'chain'),
    isReady: async (output) => deploymentIn(output) !== null,
    readyTimeoutMs: 240_000,
  };
}

export function venueProgram(plan: StackPlan, deployment: Deployment): ChildProgram {
  const { contracts, roles, venueDomain } = deployment;
  return {
    name: 'venue-sim',
    entry: entryOf('apps/venue-sim/src/main.ts'),
    environment: {
      VENUE_SIM_PORT: String(plan.ports.venue),
      VENUE_SIM_SEED: plan.seed,
      RPC_URL: rpcUrlOf(plan),
      CHAIN_ID: String(deployment.chainId),
      USDC_ADDRESS: contracts.usdc,
      CONDITIONAL_TOKENS_ADDRESS: contracts.conditionalTokens,
      EXCHANGE_ADDRESS: contracts.exchange,
      EXCHANGE_DOMAIN_NAME: venueDomain.name,
      EXCHANGE_DOMAIN_VERSION: venueDomain.version,
      VENUE_OPERATOR_KEY: roles.venueOperator.privateKey,
      VENUE_ORACLE_KEY: roles.oracle.privateKey,
      VENUE_MAKER_KEYS: roles.makers.map(({ privateKey }) => privateKey).join(','),
      VENUE_TAKER_KEYS: roles.takers.map(({ privateKey }) => privateKey).join(','),
    },
    ...placesOf(plan.folder, 'venue-sim'),
    isReady: () => answersWell(`${venueUrlOf(plan)}/ok`),
    readyTimeoutMs: 60_000,
  };
}

/** Addresses every program of the service reads. */
function sharedEnvironment(plan: GroundedPlan): Record<string, string> {
  const { contracts, chainId } = plan.deployment;
  const venueUrl = venueUrlOf(plan);
  return {
    RPC_URL: rpcUrlOf(plan),
    CHAIN_ID: String(chainId),
    VAULT_ADDRESS: contracts.vault,
    POOL_ADDRESS: contracts.pool,
    USDC_ADDRESS: contracts.usdc,
    VENUE_URL: venueUrl,
    VENUE_MARKET_SOCKET_URL: `${venueUrl.replace('http', 'ws')}/ws/market`,
    REFERENCE_URL: venueUrl,
    CLOCK_URL: venueUrl,
  };
}

export function priceSignerProgram(plan: GroundedPlan): ChildProgram {
  return {
    name: 'price-signer',
    entry: entryOf('apps/price-signer/src/main.ts'),
    environment: {
      ...sharedEnvironment(plan),
      PRICE_SIGNER_PORT: String(plan.ports.priceSigner),
      PRICE_SIGNER_PRIVATE_KEY: plan.deployment.roles.priceSigner.privateKey,
      PRICE_SIGNER_SECRET: plan.secrets.priceSignerSecret,
    },
    ...placesOf(plan.folder, 'price-signer'),
    isReady: () => answersWell(`${origin(plan.ports.priceSigner)}/readyz`),
    readyTimeoutMs: 60_000,
  };
}

export function keeperProgram(plan: GroundedPlan): ChildProgram {
  const { contracts, roles, venueDomain, deploymentBlock } = plan.deployment;
  return {
    name: 'keeper',
    entry: entryOf('apps/keeper/src/main.ts'),
    environment: {
      ...sharedEnvironment(plan),
      DATABASE_URL: plan.databaseUrl,
      CONDITIONAL_TOKENS_ADDRESS: contracts.conditionalTokens,
      EXCHANGE_ADDRESS: contracts.exchange,
      EXCHANGE_DOMAIN_NAME: venueDomain.name,
      EXCHANGE_DOMAIN_VERSION: venueDomain.version,
      DEPLOYMENT_BLOCK: deploymentBlock,
      KEEPER_PRIVATE_KEY: roles.keeper.privateKey,
      PRICE_SIGNER_URL: origin(plan.ports.priceSigner),
      PRICE_SIGNER_SECRET: plan.secrets.priceSignerSecret,
      ORACLE_ADDRESSES: roles.oracle.address,
      KEEPER_METRICS_PORT: String(plan.ports.keeperMetrics),
    },
    ...placesOf(plan.folder, 'keeper'),
    isReady: () => answersWell(`${origin(plan.ports.keeperMetrics)}/healthz`),
    readyTimeoutMs: 60_000,
  };
}

export function apiProgram(plan: GroundedPlan): ChildProgram {
  return {
    name: 'api',
    entry: entryOf('apps/api/src/main.ts'),
    environment: {
      ...sharedEnvironment(plan),
      PORT: String(plan.ports.api),
      METRICS_PORT: String(plan.ports.metrics),
      ENVIRONMENT: 'sandbox',
      DATABASE_URL: plan.databaseUrl,
      QUOTE_SIGNER_KEY_FILE: plan.folder.quoteSignerKey,
      TOKEN_KEYS_FILE: plan.folder.tokenKeys,
    },
    ...placesOf(plan.folder, 'api'),
    isReady: () => answersWell(`${origin(plan.ports.api)}/readyz`),
    readyTimeoutMs: 60_000,
  };
}
