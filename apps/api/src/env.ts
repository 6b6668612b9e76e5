import { type PolicyConfig, policyDefaults } from '@core/policy';
import {
  address,
  armedFailpointOf,
  type Codec,
  databaseUrl,
  type Environment,
  failpointSettings,
  fileOf,
  flag,
  httpUrl,
  json,
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
  type ValuesOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { vaultConstants } from '@core/vault';
import type { Address, Hex } from 'viem';

/** Points at which a test may kill the process. */
const apiFailpoints = ['after_reserve', 'before_answer'] as const;
export type ApiFailpoint = (typeof apiFailpoints)[number];

/** What distinguishes one running service from another; read once at start. */
export interface ApiConfig {
  /** 0 takes a free port. */
  readonly port: number;
  /** Port of `/metrics`; null serves none. */
  readonly metricsPort: number | null;
  readonly environment: 'sandbox' | 'production';
  /** Prefix of every type prefix of an ID, or empty. */
  readonly idNamespace: string;
  /** Addresses whose `X-Forwarded-For` is believed; empty: none. */
  readonly trustProxy: readonly string[];
  /** Origins whose scripts may call the interface from a browser; empty: none. */
  readonly corsOrigins: readonly string[];
  /** Origin under which clients know the service; null: the address it listens on. */
  readonly publicUrl: string | null;
  readonly chainId: number;
  readonly contracts: { readonly vault: Address; readonly usdc: Address };
  readonly switches: { readonly isQuoteCreationEnabled: boolean; readonly isPartialOpenEnabled: boolean };
  /** How long the figures of a market list may be reused for one partner. */
  readonly marketListAgeMs: number;
  /** The failpoint at which the process kills itself; tests of crashes only. */
  readonly failpoint: ApiFailpoint | null;
}

/** Scheme and host as a browser writes them, lower case, no path, no default port; on this machine any port at once. */
const browserOrigin: Codec<string> = {
  expects: 'an origin like https://shop.example, or http://localhost:* for every port of this machine',
  read: (text) => {
    if (text === 'http://localhost:*' || text === 'http://127.0.0.1:*') return text;
    return /^https?:/.test(text) && URL.parse(text)?.origin === text ? text : undefined;
  },
};

/** Settings of the service. Files hold the secrets, so that no list of processes shows them. */
const settings = {
  PORT: withDefault(port, 8080),
  METRICS_PORT: optional(port),
  ENVIRONMENT: withDefault(oneOf(['sandbox', 'production']), 'sandbox'),
  DATABASE_URL: required(databaseUrl),
  /** Redis that counts limits and carries messages for all processes; PostgreSQL does both when left out. */
  REDIS_URL: optional(redisUrl),
  RPC_URL: required(httpUrl),
  CHAIN_ID: required(wholeNumber(1)),
  VAULT_ADDRESS: required(address),
  POOL_ADDRESS: required(address),
  USDC_ADDRESS: required(address),
  VENUE_URL: required(httpUrl),
  /** Market socket of the venue; derived from VENUE_URL when left out. */
  VENUE_MARKET_SOCKET_URL: optional(socketUrl),
  /** Origin of spot prices and game states; the venue's when left out. */
  REFERENCE_URL: optional(httpUrl),
  /** Origin whose clock is followed; the machine's own clock when left out. */
  CLOCK_URL: optional(httpUrl),
  /** File with the quote signer's private key. */
  QUOTE_SIGNER_KEY_FILE: required(fileOf(privateKey)),
  /** File with the JSON Web Key Set of the user tokens; the first key signs. */
  TOKEN_KEYS_FILE: required(fileOf(json)),
  QUOTE_WINDOW_SECONDS: optional(wholeNumber(1, vaultConstants.quoteWindowSeconds)),
  ID_NAMESPACE: withDefault(matching(/[a-z0-9]+/, 'lower-case letters and digits'), ''),
  /** Addresses whose X-Forwarded-For is believed. */
  TRUST_PROXY: withDefault(listOf(textOf()), []),
  /** Origins whose scripts may call the interface from a browser. */
  CORS_ORIGINS: withDefault(listOf(browserOrigin), []),
  /** Origin under which clients know the service: documents and error answers link to it. */
  PUBLIC_URL: optional(browserOrigin),
  QUOTE_CREATION_ENABLED: withDefault(flag, true),
  PARTIAL_OPEN_ENABLED: withDefault(flag, true),
  LOG_LEVEL: withDefault(logLevel, 'info'),
  ...failpointSettings(oneOf(apiFailpoints)),
};

const ownPrefixes = ['QUOTE_', 'PARTIAL_OPEN_', 'CORS_', 'TOKEN_KEYS_'];

/** Settings of one process. */
export interface ApiEnv {
  readonly config: ApiConfig;
  readonly policy: PolicyConfig;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly rpcUrl: string;
  readonly poolAddress: `0x${string}`;
  readonly venueUrl: string;
  readonly venueMarketSocketUrl: string;
  readonly referenceUrl: string;
  readonly clockUrl: string | null;
  readonly signerKey: Hex;
  readonly tokenKeys: unknown;
  /** Where the token keys stand, to be read again when they are rotated. */
  readonly tokenKeysFile: string;
  readonly logLevel: LogLevel;
}

/** Reads and checks the environment. @throws FriendlyError with a line for every variable at fault. */
export function readEnv(environment: Environment): ApiEnv {
  const env = readEnvironment({ program: 'api', settings, ownPrefixes }, environment);
  const windowSeconds = env.QUOTE_WINDOW_SECONDS ?? policyDefaults.quote.windowSeconds;
  return {
    config: configOf(env),
    policy: { ...policyDefaults, quote: { ...policyDefaults.quote, windowSeconds } },
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL ?? null,
    rpcUrl: env.RPC_URL,
    poolAddress: env.POOL_ADDRESS,
    venueUrl: env.VENUE_URL,
    venueMarketSocketUrl:
      env.VENUE_MARKET_SOCKET_URL ?? `${env.VENUE_URL.replace(/^http/, 'ws').replace(/\/$/, '')}/ws/market`,
    referenceUrl: env.REFERENCE_URL ?? env.VENUE_URL,
    clockUrl: env.CLOCK_URL ?? null,
    signerKey: env.QUOTE_SIGNER_KEY_FILE,
    tokenKeys: env.TOKEN_KEYS_FILE,
    tokenKeysFile: environment['TOKEN_KEYS_FILE'] ?? '',
    logLevel: env.LOG_LEVEL,
  };
}

function configOf(env: ValuesOf<typeof settings>): ApiConfig {
  return {
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
    failpoint: armedFailpointOf(env),
  };
}
