import { type KeySource, keySourceOf, keyUrl } from '@core/keys';
import { routeNames } from '@core/policy';
import {
  address,
  armedFailpointOf,
  blockNumber,
  databaseUrl,
  defaultMaxFeeGwei,
  type Environment,
  type Finality,
  FriendlyError,
  failpointSettings,
  fileOf,
  finality,
  httpUrl,
  interfaceAddress,
  listOf,
  loopbackAddress,
  matching,
  nodeSettings,
  nodesOfEnv,
  oneOf,
  optional,
  type ProgramEnv,
  port,
  privateKey,
  programEnvOf,
  programSettings,
  readEnvironment,
  redisUrl,
  required,
  textOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { selectedVenueOf, tradingSettings, tradingTermsOf } from '@core/venue';
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
  ...nodeSettings,
  VAULT_ADDRESS: required(address),
  POOL_ADDRESS: required(address),
  EXCHANGE_ADDRESS: required(address),
  CONDITIONAL_TOKENS_ADDRESS: required(address),
  USDC_ADDRESS: required(address),
  /** Block of the vault's creation; every block of the local chain, else required. */
  DEPLOYMENT_BLOCK: optional(blockNumber),
  /** Blocks behind the head that may still be reorganised; none on the local chain, else required. */
  FINALITY_DEPTH: optional(finality),
  ...tradingSettings,
  VENUE_OWNER: withDefault(textOf(), 'keeper'),
  /** `fill`: grants that anyone may fill, for which no order is placed. `direct`: orders at the venue. */
  ROUTE: withDefault(oneOf(routeNames), 'fill'),
  /** Every price signer: an order needs as many signatures as the vault asks for. */
  PRICE_SIGNER_URLS: required(listOf(httpUrl, 1)),
  /** Shared with each of them, in the same order. */
  PRICE_SIGNER_SECRETS: required(listOf(textOf(16), 1)),
  /** File with the key that signs transactions: a file stands in no list of processes. */
  KEEPER_KEY_FILE: optional(fileOf(privateKey)),
  /** Place of that key instead of a file, and its address. */
  KEEPER_KEY_URL: optional(keyUrl),
  KEEPER_KEY_ADDRESS: optional(address),
  /** Allow-listed oracles. */
  ORACLE_ADDRESSES: required(listOf(address, 1)),
  /** Origin of the simulator whose movable clock is followed; the machine's own clock when left out. */
  CLOCK_URL: optional(httpUrl),
  /** No transaction offers more per gas, in gwei. */
  KEEPER_MAX_FEE_GWEI: withDefault(wholeNumber(1), defaultMaxFeeGwei),
  /** Oldest last block, in seconds on the service clock, of a chain that moves: beyond it nothing is quoted. */
  KEEPER_MAX_HEAD_AGE_SECONDS: withDefault(wholeNumber(2, 600), 20),
  /** Longest wait of the keeper's transactions for a block, in seconds: beyond it nothing is quoted. */
  KEEPER_MAX_NONCE_AGE_SECONDS: withDefault(wholeNumber(15, 3_600), 30),
  /** Pause between two polls of the last block, in milliseconds: each poll is a call to the node. */
  KEEPER_HEAD_POLL_MS: withDefault(wholeNumber(50, 2_000), 300),
  KEEPER_METRICS_PORT: withDefault(port, 9_464),
  /** Interface of the metrics. */
  LISTEN_HOST: withDefault(interfaceAddress, loopbackAddress),
  ...programSettings,
  ...failpointSettings(operationPoint),
};

/** Settings of one process. */
export interface KeeperEnv extends ProgramEnv {
  readonly config: Omit<KeeperConfig, 'signer'>;
  /** Key that signs transactions. */
  readonly key: KeySource;
}

/** Configuration from the environment. @throws FriendlyError with a line for every variable at fault. */
export function configOfEnv(environment: Environment): KeeperEnv {
  const env = readEnvironment({ program: 'keeper', settings, ownPrefixes: ['KEEPER_'] }, environment);
  const { profile, hosts, reference, restarts } = selectedVenueOf(env);
  const config: KeeperEnv['config'] = {
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL ?? null,
    ...nodesOfEnv(env),
    contracts: {
      vault: env.VAULT_ADDRESS,
      pool: env.POOL_ADDRESS,
      exchange: env.EXCHANGE_ADDRESS,
      conditionalTokens: env.CONDITIONAL_TOKENS_ADDRESS,
      usdc: env.USDC_ADDRESS,
    },
    ...(profile.contracts === null ? {} : { positionManager: profile.contracts.positionManager }),
    ...chainBoundsOf(env),
    ...tradingTermsOf(env, profile),
    venueUrl: hosts.url,
    catalogueUrl: hosts.catalogueUrl,
    dataUrl: hosts.dataUrl,
    catalogueList: profile.catalogueList,
    venueLimits: profile.limits,
    restarts,
    marketSocketUrl: hosts.marketSocketUrl,
    userSocketUrl: hosts.userSocketUrl,
    reference,
    unstatedSettlement: profile.unstatedSettlement,
    venueOwner: env.VENUE_OWNER,
    route: env.ROUTE,
    priceSigners: priceSignersOf(env),
    oracles: env.ORACLE_ADDRESSES,
    ...(env.CLOCK_URL === undefined ? {} : { clockUrl: env.CLOCK_URL }),
    maxFeePerGasWei: BigInt(env.KEEPER_MAX_FEE_GWEI) * 1_000_000_000n,
    maxHeadAgeMs: env.KEEPER_MAX_HEAD_AGE_SECONDS * 1_000,
    maxNonceAgeMs: env.KEEPER_MAX_NONCE_AGE_SECONDS * 1_000,
    headPollMs: env.KEEPER_HEAD_POLL_MS,
    metricsPort: env.KEEPER_METRICS_PORT,
    metricsHost: env.LISTEN_HOST,
    failpoint: failpointNamed(armedFailpointOf(env)),
  };
  const { KEEPER_KEY_FILE: file, KEEPER_KEY_URL: url, KEEPER_KEY_ADDRESS: keyAddress } = env;
  const key = keySourceOf({ name: 'KEEPER_KEY', file, url, address: keyAddress });
  return { config, key, ...programEnvOf(env) };
}

/** Chain of local stacks: it has no history before the deployment and no reorganisations. */
const localChainId = 31_337;

/** @throws FriendlyError when a bound is missing on another chain than the local one. */
function chainBoundsOf(env: {
  readonly CHAIN_ID: number;
  readonly DEPLOYMENT_BLOCK: bigint | undefined;
  readonly FINALITY_DEPTH: Finality | undefined;
}): { readonly deploymentBlock: bigint; readonly finality: Finality } {
  const { CHAIN_ID, DEPLOYMENT_BLOCK: deploymentBlock, FINALITY_DEPTH: rule } = env;
  if (deploymentBlock !== undefined && rule !== undefined) return { deploymentBlock, finality: rule };
  if (CHAIN_ID === localChainId) return { deploymentBlock: deploymentBlock ?? 0n, finality: rule ?? 0n };
  const missing = deploymentBlock === undefined ? 'DEPLOYMENT_BLOCK' : 'FINALITY_DEPTH';
  throw new FriendlyError(
    `${missing} is missing: only the local chain ${localChainId} has a default, CHAIN_ID is ${CHAIN_ID}`,
  );
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
