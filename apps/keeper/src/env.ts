import {
  address,
  armedFailpointOf,
  blockNumber,
  databaseUrl,
  type Environment,
  FriendlyError,
  failpointSettings,
  httpUrl,
  type LogLevel,
  listOf,
  logLevel,
  matching,
  oneOf,
  optional,
  port,
  privateKey,
  readEnvironment,
  redisUrl,
  required,
  socketUrl,
  textOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { localCredentialTerms } from '@core/venue';
import type { KeeperConfig } from './startKeeper.ts';
import { failpointMoments, failpointNamed } from './transactions/failpoint.ts';

const operationPoint = matching(
  new RegExp(`\\w+:(?:${failpointMoments.join('|')})`),
  `an operation, a colon and one of ${failpointMoments.join(', ')}`,
);

/** Settings of the keeper's process. */
const settings = {
  DATABASE_URL: required(databaseUrl),
  /** Carries messages between processes; without one the database does. */
  REDIS_URL: optional(redisUrl),
  RPC_URL: required(httpUrl),
  /** Further nodes of the same chain, in the order in which they are asked. */
  RPC_FALLBACK_URLS: withDefault(listOf(httpUrl), []),
  CHAIN_ID: required(wholeNumber(1)),
  VAULT_ADDRESS: required(address),
  POOL_ADDRESS: required(address),
  EXCHANGE_ADDRESS: required(address),
  CONDITIONAL_TOKENS_ADDRESS: required(address),
  USDC_ADDRESS: required(address),
  DEPLOYMENT_BLOCK: withDefault(blockNumber, 0n),
  FINALITY_DEPTH: withDefault(wholeNumber(0), 0),
  EXCHANGE_DOMAIN_NAME: withDefault(textOf(), 'Venue Exchange'),
  EXCHANGE_DOMAIN_VERSION: withDefault(textOf(), '2'),
  VENUE_URL: required(httpUrl),
  VENUE_MARKET_SOCKET_URL: required(socketUrl),
  /** Socket of the account's own orders; beside the market socket when left out. */
  VENUE_USER_SOCKET_URL: optional(socketUrl),
  /** `derived`: private requests carry credentials that the venue gives the keeper's key. */
  VENUE_CREDENTIALS: withDefault(oneOf(['none', 'derived']), 'none'),
  /** Origin of spot prices and games; the venue's when left out. */
  REFERENCE_URL: optional(httpUrl),
  VENUE_OWNER: withDefault(textOf(), 'keeper'),
  /** Every price signer: an order needs as many signatures as the vault asks for. */
  PRICE_SIGNER_URLS: required(listOf(httpUrl, 1)),
  /** Shared with each of them, in the same order. */
  PRICE_SIGNER_SECRETS: required(listOf(textOf(16), 1)),
  KEEPER_PRIVATE_KEY: required(privateKey),
  /** Allow-listed oracles. */
  ORACLE_ADDRESSES: required(listOf(address, 1)),
  /** Origin of the simulator whose movable clock is followed; the machine's own clock when left out. */
  CLOCK_URL: optional(httpUrl),
  /** No transaction offers more per gas, in gwei. */
  KEEPER_MAX_FEE_GWEI: withDefault(wholeNumber(1), 2_000),
  KEEPER_METRICS_PORT: withDefault(port, 9_464),
  LOG_LEVEL: withDefault(logLevel, 'info'),
  ...failpointSettings(operationPoint),
};

/** Settings of one process. */
export interface KeeperEnv {
  readonly config: KeeperConfig;
  readonly logLevel: LogLevel;
}

/** Configuration from the environment. @throws FriendlyError with a line for every variable at fault. */
export function configOfEnv(environment: Environment): KeeperEnv {
  const env = readEnvironment({ program: 'keeper', settings, ownPrefixes: ['KEEPER_'] }, environment);
  const config: KeeperConfig = {
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL ?? null,
    rpcUrl: env.RPC_URL,
    fallbackRpcUrls: env.RPC_FALLBACK_URLS,
    chainId: env.CHAIN_ID,
    contracts: {
      vault: env.VAULT_ADDRESS,
      pool: env.POOL_ADDRESS,
      exchange: env.EXCHANGE_ADDRESS,
      conditionalTokens: env.CONDITIONAL_TOKENS_ADDRESS,
      usdc: env.USDC_ADDRESS,
    },
    deploymentBlock: env.DEPLOYMENT_BLOCK,
    finalityDepth: env.FINALITY_DEPTH,
    venueDomain: { name: env.EXCHANGE_DOMAIN_NAME, version: env.EXCHANGE_DOMAIN_VERSION },
    venueUrl: env.VENUE_URL,
    marketSocketUrl: env.VENUE_MARKET_SOCKET_URL,
    ...(env.VENUE_USER_SOCKET_URL === undefined ? {} : { userSocketUrl: env.VENUE_USER_SOCKET_URL }),
    ...(env.VENUE_CREDENTIALS === 'none' ? {} : { credentialTerms: localCredentialTerms }),
    ...(env.REFERENCE_URL === undefined ? {} : { referenceUrl: env.REFERENCE_URL }),
    venueOwner: env.VENUE_OWNER,
    priceSigners: priceSignersOf(env),
    privateKey: env.KEEPER_PRIVATE_KEY,
    oracles: env.ORACLE_ADDRESSES,
    ...(env.CLOCK_URL === undefined ? {} : { clockUrl: env.CLOCK_URL }),
    maxFeePerGasWei: BigInt(env.KEEPER_MAX_FEE_GWEI) * 1_000_000_000n,
    metricsPort: env.KEEPER_METRICS_PORT,
    failpoint: failpointNamed(armedFailpointOf(env)),
  };
  return { config, logLevel: env.LOG_LEVEL };
}

/** @throws FriendlyError when a signer has no secret, or a secret no signer. */
function priceSignersOf(env: {
  readonly PRICE_SIGNER_URLS: readonly string[];
  readonly PRICE_SIGNER_SECRETS: readonly string[];
}): KeeperConfig['priceSigners'] {
  const { PRICE_SIGNER_URLS: urls, PRICE_SIGNER_SECRETS: secrets } = env;
  if (urls.length !== secrets.length) {
    throw new FriendlyError('PRICE_SIGNER_SECRETS must name one secret for each of PRICE_SIGNER_URLS, in their order');
  }
  return urls.map((url, index) => ({ url, secret: secrets[index] ?? '' }));
}
