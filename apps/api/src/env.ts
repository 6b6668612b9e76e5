import { type KeySource, keySourceOf, keyUrl } from '@core/keys';
import { type PolicyConfig, policyAtPace, policyDefaults, routeNames } from '@core/policy';
import {
  address,
  armedFailpointOf,
  type ChainNodes,
  type Codec,
  databaseUrl,
  type Environment,
  type Failpoint,
  failpointAt,
  failpointSettings,
  fileOf,
  flag,
  httpUrl,
  interfaceAddress,
  json,
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
  type ValuesOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { vaultConstants } from '@core/vault';
import { type SelectedVenue, selectedVenueOf, venueSettings } from '@core/venue';
import type { Address } from 'viem';
import { type ProcessLimits, processLimits, processLimitsOf } from './processLimits.ts';

/** Moments at which a process may die. */
const apiFailpoints = ['after_reserve', 'before_answer'] as const;
export type ApiFailpoint = Failpoint<(typeof apiFailpoints)[number]>;

/** Configuration of one running service, read once at start. */
export interface ApiConfig {
  /** Interface of API and metrics. */
  readonly listenHost: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Port of `/metrics`; null serves none. */
  readonly metricsPort: number | null;
  readonly environment: 'sandbox' | 'production';
  /** Prefix of every type prefix of an ID, or empty. */
  readonly idNamespace: string;
  /** Proxies whose `X-Forwarded-For` is trusted; empty for none. */
  readonly trustProxy: readonly string[];
  /** Origins whose scripts may call the interface from a browser; empty: none. */
  readonly corsOrigins: readonly string[];
  /** Origin under which clients know the service; null: the address it listens on. */
  readonly publicUrl: string | null;
  readonly chainId: number;
  readonly contracts: { readonly vault: Address; readonly usdc: Address };
  readonly switches: { readonly isQuoteCreationEnabled: boolean; readonly isPartialOpenEnabled: boolean };
  /** Age at which the figures of a market list are computed again for one partner. */
  readonly marketListAgeMs: number;
  /** Called at every moment at which a process may die; recovery tests kill it there. */
  readonly failpoint?: ApiFailpoint;
  /** Bounds that protect this process. */
  readonly limits: ProcessLimits;
}

/** Scheme and host as a browser writes them, lower case, no path, no default port; on this machine any port at once. */
const browserOrigin: Codec<string> = {
  expects: 'an origin like https://shop.example, or http://localhost:* for every port of this machine',
  read: (text) => {
    if (text === 'http://localhost:*' || text === 'http://127.0.0.1:*') return text;
    return /^https?:/.test(text) && URL.parse(text)?.origin === text ? text : undefined;
  },
};

/** One setting for each limit of the process. */
const limitSettings = Object.fromEntries(
  Object.values(processLimits).map(({ setting, value, minimum, maximum }) => [
    setting,
    withDefault(wholeNumber(minimum, maximum), value),
  ]),
);

/** Settings of the service. Files hold the secrets, so that no list of processes shows them. */
const settings = {
  /** Interface of the API and of its metrics. */
  LISTEN_HOST: withDefault(interfaceAddress, loopbackAddress),
  PORT: withDefault(port, 8080),
  METRICS_PORT: optional(port),
  ENVIRONMENT: withDefault(oneOf(['sandbox', 'production']), 'sandbox'),
  DATABASE_URL: required(databaseUrl),
  /** Redis that counts limits and carries messages for all processes; PostgreSQL does both when left out. */
  REDIS_URL: optional(redisUrl),
  ...nodeSettings,
  VAULT_ADDRESS: required(address),
  POOL_ADDRESS: required(address),
  USDC_ADDRESS: required(address),
  ...venueSettings,
  /** Origin whose clock is followed; the machine's own clock when left out. */
  CLOCK_URL: optional(httpUrl),
  /** File with the quote signer's private key. */
  QUOTE_SIGNER_KEY_FILE: optional(fileOf(privateKey)),
  /** Place of that key instead of a file, and its address. */
  QUOTE_SIGNER_KEY_URL: optional(keyUrl),
  QUOTE_SIGNER_KEY_ADDRESS: optional(address),
  /** File with the JSON Web Key Set of the user tokens; the first key signs. */
  TOKEN_KEYS_FILE: required(fileOf(json)),
  QUOTE_WINDOW_SECONDS: optional(wholeNumber(1, vaultConstants.quoteWindowSeconds)),
  ID_NAMESPACE: withDefault(matching(/[a-z0-9]+/, 'lower-case letters and digits'), ''),
  /** Route of orders, the same as the keeper's: quotes name it. */
  ROUTE: withDefault(oneOf(routeNames), 'fill'),
  /** Seconds from one block of the chain to the next, the same as the price signers'; 0 for one that mines at once. */
  BLOCK_SECONDS: withDefault(wholeNumber(0, 60), 2),
  /** Proxies whose X-Forwarded-For is trusted. */
  TRUST_PROXY: withDefault(listOf(textOf()), []),
  /** Origins whose scripts may call the interface from a browser. */
  CORS_ORIGINS: withDefault(listOf(browserOrigin), []),
  /** Origin under which clients know the service: documents and error answers link to it. */
  PUBLIC_URL: optional(browserOrigin),
  QUOTE_CREATION_ENABLED: withDefault(flag, true),
  PARTIAL_OPEN_ENABLED: withDefault(flag, true),
  ...programSettings,
  /** Oldest last block, on the service clock, at which quotes are signed. */
  MAX_HEAD_AGE_SECONDS: withDefault(wholeNumber(2, 600), 20),
  ...limitSettings,
  ...failpointSettings(oneOf(apiFailpoints)),
};

const ownPrefixes = ['QUOTE_', 'PARTIAL_OPEN_', 'CORS_', 'TOKEN_KEYS_', 'LIMIT_'];

/** Settings of one process. */
export interface ApiEnv extends ProgramEnv {
  readonly config: ApiConfig;
  readonly policy: PolicyConfig;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly nodes: ChainNodes;
  readonly poolAddress: `0x${string}`;
  readonly maxHeadAgeMs: number;
  readonly venueHosts: SelectedVenue['hosts'];
  readonly venueLimits: SelectedVenue['profile']['limits'];
  readonly reference: SelectedVenue['reference'];
  readonly clockUrl: string | null;
  /** Key that signs quotes. */
  readonly quoteKey: KeySource;
  readonly tokenKeys: unknown;
  /** Path of the file with the token keys, read again after a rotation. */
  readonly tokenKeysFile: string;
}

/** Read and check the environment. @throws FriendlyError with a line for every variable at fault. */
export function readEnv(environment: Environment): ApiEnv {
  const env = readEnvironment({ program: 'api', settings, ownPrefixes }, environment);
  const { hosts: venueHosts, profile, reference } = selectedVenueOf(env);
  const windowSeconds = env.QUOTE_WINDOW_SECONDS ?? policyDefaults.quote.windowSeconds;
  return {
    config: configOf(env),
    policy: policyAtPace(
      { ...policyDefaults, openingRoute: env.ROUTE, quote: { ...policyDefaults.quote, windowSeconds } },
      env.BLOCK_SECONDS,
    ),
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL ?? null,
    nodes: nodesOfEnv(env),
    poolAddress: env.POOL_ADDRESS,
    maxHeadAgeMs: env.MAX_HEAD_AGE_SECONDS * 1_000,
    venueHosts,
    venueLimits: profile.limits,
    reference,
    clockUrl: env.CLOCK_URL ?? null,
    quoteKey: keySourceOf({
      name: 'QUOTE_SIGNER_KEY',
      file: env.QUOTE_SIGNER_KEY_FILE,
      url: env.QUOTE_SIGNER_KEY_URL,
      address: env.QUOTE_SIGNER_KEY_ADDRESS,
    }),
    tokenKeys: env.TOKEN_KEYS_FILE,
    tokenKeysFile: environment['TOKEN_KEYS_FILE'] ?? '',
    ...programEnvOf(env),
  };
}

function configOf(env: ValuesOf<typeof settings>): ApiConfig {
  const values = new Map<string, unknown>(Object.entries(env));
  return {
    listenHost: env.LISTEN_HOST,
    port: env.PORT,
    metricsPort: env.METRICS_PORT ?? null,
    environment: env.ENVIRONMENT,
    idNamespace: env.ID_NAMESPACE,
    trustProxy: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS,
    publicUrl: env.PUBLIC_URL ?? null,
    chainId: env.CHAIN_ID,
    contracts: { vault: env.VAULT_ADDRESS, usdc: env.USDC_ADDRESS },
    switches: {
      isQuoteCreationEnabled: env.QUOTE_CREATION_ENABLED,
      isPartialOpenEnabled: env.PARTIAL_OPEN_ENABLED,
    },
    marketListAgeMs: 250,
    failpoint: failpointAt(armedFailpointOf(env)),
    limits: processLimitsOf(({ setting, value }) => Number(values.get(setting) ?? value)),
  };
}
