import type { LocalGround, LocalWorld, ProgramEnvironment } from './localWorld.ts';

/** Address of a price signer, and the secret that it shares with the keeper. */
interface WorldSigner {
  readonly url: string;
  readonly secret: string;
}

/** Database of a program, and the Redis beside it; null without one. */
interface Storage {
  readonly databaseUrl: string;
  readonly redisUrl?: string | null;
}

function chainOf({ rpcUrl, spareRpcUrl, deployment }: LocalGround): ProgramEnvironment {
  return {
    RPC_URL: rpcUrl,
    ...(spareRpcUrl !== undefined && { RPC_FALLBACK_URLS: spareRpcUrl }),
    CHAIN_ID: String(deployment.chainId),
  };
}

function exchangeOf({ deployment: { contracts, venueDomain } }: LocalGround): ProgramEnvironment {
  return {
    USDC_ADDRESS: contracts.usdc,
    CONDITIONAL_TOKENS_ADDRESS: contracts.conditionalTokens,
    EXCHANGE_ADDRESS: contracts.exchange,
    EXCHANGE_DOMAIN_NAME: venueDomain.name,
    EXCHANGE_DOMAIN_VERSION: venueDomain.version,
  };
}

function serviceOf(world: LocalWorld): ProgramEnvironment {
  return {
    ...chainOf(world),
    VAULT_ADDRESS: world.deployment.contracts.vault,
    VENUE_URL: world.venue.url,
    VENUE_MARKET_SOCKET_URL: `${world.venue.wsUrl}/ws/market`,
    ...(world.clockUrl !== null && { CLOCK_URL: world.clockUrl }),
  };
}

const paceOf = ({ blockSeconds }: LocalWorld): ProgramEnvironment =>
  blockSeconds === null ? {} : { BLOCK_SECONDS: String(blockSeconds) };

const storageOf = ({ databaseUrl, redisUrl = null }: Storage): ProgramEnvironment => ({
  DATABASE_URL: databaseUrl,
  ...(redisUrl !== null && { REDIS_URL: redisUrl }),
});

/** Return the environment of a venue simulator that settles on the chain. */
export function venueEnvironment(
  ground: LocalGround,
  { keysFile, port = 0 }: { readonly keysFile: string; readonly port?: number },
): ProgramEnvironment {
  return { ...chainOf(ground), ...exchangeOf(ground), VENUE_KEYS_FILE: keysFile, VENUE_SIM_PORT: String(port) };
}

/** Return the environment of a price signer. */
export function priceSignerEnvironment(
  world: LocalWorld,
  { keyFile, secret, port = 0 }: { readonly keyFile: string; readonly secret: string; readonly port?: number },
): ProgramEnvironment {
  return {
    ...serviceOf(world),
    ...paceOf(world),
    PRICE_SIGNER_PORT: String(port),
    PRICE_SIGNER_KEY_FILE: keyFile,
    PRICE_SIGNER_SECRET: secret,
  };
}

/** Return the environment of a keeper. */
export function keeperEnvironment(
  world: LocalWorld,
  options: Storage & {
    readonly keyFile: string;
    readonly signers: readonly WorldSigner[];
    readonly oracle: string;
    readonly metricsPort?: number;
  },
): ProgramEnvironment {
  const { keyFile, signers, oracle, metricsPort = 0 } = options;
  const { contracts, deploymentBlock } = world.deployment;
  return {
    ...serviceOf(world),
    ...exchangeOf(world),
    ...storageOf(options),
    POOL_ADDRESS: contracts.pool,
    DEPLOYMENT_BLOCK: String(deploymentBlock),
    KEEPER_KEY_FILE: keyFile,
    PRICE_SIGNER_URLS: signers.map(({ url }) => url).join(','),
    PRICE_SIGNER_SECRETS: signers.map(({ secret }) => secret).join(','),
    ORACLE_ADDRESSES: oracle,
    KEEPER_METRICS_PORT: String(metricsPort),
    ROUTE: world.route,
  };
}

/** Return the environment of a filler. */
export function fillerEnvironment(
  world: LocalWorld,
  options: { readonly keyFile: string; readonly journalFile: string; readonly metricsPort?: number },
): ProgramEnvironment {
  return {
    ...serviceOf(world),
    ...exchangeOf(world),
    PAIR_FILLER_ADDRESS: world.deployment.contracts.pairFiller,
    FILLER_KEY_FILE: options.keyFile,
    FILLER_JOURNAL: options.journalFile,
    FILLER_METRICS_PORT: String(options.metricsPort ?? 0),
  };
}

/** Return the environment of a process of the API. */
export function apiEnvironment(
  world: LocalWorld,
  options: Storage & {
    readonly quoteSignerKeyFile: string;
    readonly tokenKeysFile: string;
    readonly port?: number;
    readonly metricsPort?: number;
  },
): ProgramEnvironment {
  const { contracts } = world.deployment;
  return {
    ...serviceOf(world),
    ...paceOf(world),
    ...storageOf(options),
    POOL_ADDRESS: contracts.pool,
    USDC_ADDRESS: contracts.usdc,
    ROUTE: world.route,
    PORT: String(options.port ?? 0),
    ...(options.metricsPort !== undefined && { METRICS_PORT: String(options.metricsPort) }),
    QUOTE_SIGNER_KEY_FILE: options.quoteSignerKeyFile,
    TOKEN_KEYS_FILE: options.tokenKeysFile,
  };
}
