import path from 'node:path';
import type { Route } from '../env.ts';
import type { Deployed, Deployment } from './deployment.ts';
import type { Ports } from './ports.ts';
import type { Secrets } from './state/secrets.ts';
import { repositoryRoot, type StateFolder } from './state/stateFolder.ts';
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

/** Return the file of a program of this repository. */
const entryOf = (relativePath: string) => path.join(repositoryRoot, relativePath);
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
    entry: entryOf('apps/devnet/src/stack/postgresChild.ts'),
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
    entry: entryOf('apps/devnet/src/stack/chainChild.ts'),
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
  const { contracts, venueDomain } = deployment;
  return {
    name: 'venue-sim',
    entry: entryOf('apps/venue-sim/src/main.ts'),
    environment: {
      VENUE_SIM_PORT: String(plan.ports.venue),
      VENUE_SIM_SEED: plan.seed,
      // Named after the chain: state of the venue is useless on another one.
      VENUE_SIM_JOURNAL: path.join(plan.folder.venue, `${id}.ndjson`),
      RPC_URL: rpcUrlOf(plan),
      CHAIN_ID: String(deployment.chainId),
      USDC_ADDRESS: contracts.usdc,
      CONDITIONAL_TOKENS_ADDRESS: contracts.conditionalTokens,
      EXCHANGE_ADDRESS: contracts.exchange,
      EXCHANGE_DOMAIN_NAME: venueDomain.name,
      EXCHANGE_DOMAIN_VERSION: venueDomain.version,
      VENUE_KEYS_FILE: plan.folder.venueKeys,
    },
    logFile: logFileOf(plan.folder, 'venue-sim'),
    isReady: () => answersWell(`${venueUrlOf(plan)}/ok`),
    readyTimeoutMs: 60_000,
  };
}

type Account = Deployment['roles']['oracle'];
type VenueRoles = Readonly<
  Record<'venueOperator' | 'oracle', Account> & Record<'makers' | 'takers', readonly Account[]>
>;

/** Return the private keys of the simulator, as its file holds them. */
export function venueKeysText({ venueOperator, oracle, makers, takers }: VenueRoles): string {
  const keysOf = (accounts: readonly Account[]) => accounts.map(({ privateKey }) => privateKey);
  const keys = { operator: venueOperator.privateKey, oracle: oracle.privateKey };
  return JSON.stringify({ ...keys, makers: keysOf(makers), takers: keysOf(takers) });
}

/** Return the addresses that every program of the service reads. */
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

/** Return the setting of programs that decide for how long a grant lives. */
const paceOf = ({ paceSeconds }: StackPlan) => ({ BLOCK_SECONDS: String(paceSeconds) });

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
  return priceSignersOf(plan).map(({ name, port, url, keyFile, secret }) => ({
    name,
    entry: entryOf('apps/price-signer/src/main.ts'),
    environment: {
      ...sharedEnvironment(plan),
      PRICE_SIGNER_PORT: String(port),
      PRICE_SIGNER_KEY_FILE: keyFile,
      PRICE_SIGNER_SECRET: secret,
      ...paceOf(plan),
      // A grant whose price path the market has left is a free option for its fillers.
      PRICE_SIGNER_END_GRANTS: plan.route === 'fill' ? 'yes' : 'no',
    },
    logFile: logFileOf(plan.folder, name),
    isReady: () => answersWell(`${url}/readyz`),
    readyTimeoutMs: 60_000,
  }));
}

export function keeperProgram(plan: GroundedPlan): ChildProgram {
  const { contracts, roles, venueDomain, deploymentBlock } = plan.deployment;
  const signers = priceSignersOf(plan);
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
      KEEPER_KEY_FILE: plan.folder.keeperKey,
      PRICE_SIGNER_URLS: signers.map(({ url }) => url).join(','),
      PRICE_SIGNER_SECRETS: signers.map(({ secret }) => secret).join(','),
      ORACLE_ADDRESSES: roles.oracle.address,
      KEEPER_METRICS_PORT: String(plan.ports.keeperMetrics),
      ROUTE: plan.route,
    },
    logFile: logFileOf(plan.folder, 'keeper'),
    isReady: () => answersWell(`${origin(plan.ports.keeperMetrics)}/healthz`),
    readyTimeoutMs: 60_000,
  };
}

/** Return the program that fills grants, with the float of a local account. */
export function fillerProgram(plan: GroundedPlan): ChildProgram {
  const { contracts, venueDomain } = plan.deployment;
  const { POOL_ADDRESS: _pool, REFERENCE_URL: _reference, ...shared } = sharedEnvironment(plan);
  return {
    name: 'filler',
    entry: entryOf('apps/filler/src/main.ts'),
    environment: {
      ...shared,
      CONDITIONAL_TOKENS_ADDRESS: contracts.conditionalTokens,
      EXCHANGE_ADDRESS: contracts.exchange,
      EXCHANGE_DOMAIN_NAME: venueDomain.name,
      EXCHANGE_DOMAIN_VERSION: venueDomain.version,
      PAIR_FILLER_ADDRESS: contracts.pairFiller,
      FILLER_KEY_FILE: plan.folder.fillerKey,
      // Named after the chain: accounts of another one are useless.
      FILLER_JOURNAL: path.join(plan.folder.filler, `${plan.chainKey}.ndjson`),
      FILLER_METRICS_PORT: String(plan.ports.fillerMetrics),
    },
    logFile: logFileOf(plan.folder, 'filler'),
    isReady: () => answersWell(`${origin(plan.ports.fillerMetrics)}/healthz`),
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
      ROUTE: plan.route,
      ...paceOf(plan),
      DATABASE_URL: plan.databaseUrl,
      QUOTE_SIGNER_KEY_FILE: plan.folder.quoteSignerKey,
      TOKEN_KEYS_FILE: plan.folder.tokenKeys,
      // A front end in development runs on this machine on a port of its own.
      CORS_ORIGINS: 'http://localhost:*,http://127.0.0.1:*',
    },
    logFile: logFileOf(plan.folder, 'api'),
    isReady: () => answersWell(`${origin(plan.ports.api)}/readyz`),
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
    entry: entryOf('apps/console/src/main.ts'),
    environment: {
      CONSOLE_PORT: String(plan.ports.console),
      CONSOLE_PARTNER_KEY: partnerKey,
      CONSOLE_ACCOUNTS: JSON.stringify(accounts),
      CONSOLE_VENUE_URL: venueUrlOf(plan),
      CONSOLE_API_OPERATIONS_URL: origin(plan.ports.metrics),
      CONSOLE_KEEPER_OPERATIONS_URL: origin(plan.ports.keeperMetrics),
      ...(plan.route === 'fill' && { CONSOLE_FILLER_OPERATIONS_URLS: origin(plan.ports.fillerMetrics) }),
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
