import {
  address,
  type Environment,
  httpUrl,
  type LogLevel,
  logLevel,
  optional,
  port,
  privateKey,
  readEnvironment,
  required,
  socketUrl,
  textOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import type { PriceSignerOptions } from './startPriceSigner.ts';

/** Settings of the price signer's process. No other program holds its key or shares its feed. */
const settings = {
  PRICE_SIGNER_PORT: withDefault(port, 4004),
  PRICE_SIGNER_PRIVATE_KEY: required(privateKey),
  /** Shared with the keeper. */
  PRICE_SIGNER_SECRET: required(textOf(16)),
  RPC_URL: required(httpUrl),
  CHAIN_ID: required(wholeNumber(1)),
  VAULT_ADDRESS: required(address),
  /** Origin of the venue's catalogue and books. */
  VENUE_URL: required(httpUrl),
  /** Origin of the reference feeds (spot prices, games); the venue's when left out. */
  REFERENCE_URL: optional(httpUrl),
  /** The venue's market socket, `ws://…/ws/market`. */
  VENUE_MARKET_SOCKET_URL: required(socketUrl),
  /** Origin of the simulator whose clock is followed; the machine's own clock when left out. */
  CLOCK_URL: optional(httpUrl),
  /** How often the whole catalogue is read, in milliseconds. */
  CATALOGUE_INTERVAL_MS: withDefault(wholeNumber(1_000), 5_000),
  LOG_LEVEL: withDefault(logLevel, 'info'),
};

/** Settings of one process. */
export interface PriceSignerEnv {
  readonly options: Omit<PriceSignerOptions, 'logger'>;
  readonly logLevel: LogLevel;
}

/** Reads and checks the environment. @throws FriendlyError with a line for every variable at fault. */
export function readEnv(environment: Environment): PriceSignerEnv {
  const definition = {
    program: 'price-signer',
    settings,
    ownPrefixes: ['PRICE_SIGNER_'],
    // Where the keeper finds every signer, and what it shares with each.
    elsewhere: ['PRICE_SIGNER_URLS', 'PRICE_SIGNER_SECRETS'],
  };
  const env = readEnvironment(definition, environment);
  return {
    options: {
      port: env.PRICE_SIGNER_PORT,
      bearerSecret: env.PRICE_SIGNER_SECRET,
      privateKey: env.PRICE_SIGNER_PRIVATE_KEY,
      rpcUrl: env.RPC_URL,
      chainId: env.CHAIN_ID,
      vault: env.VAULT_ADDRESS,
      venueUrl: env.VENUE_URL,
      marketSocketUrl: env.VENUE_MARKET_SOCKET_URL,
      ...(env.REFERENCE_URL === undefined ? {} : { referenceUrl: env.REFERENCE_URL }),
      ...(env.CLOCK_URL === undefined ? {} : { clockUrl: env.CLOCK_URL }),
      catalogueIntervalMs: env.CATALOGUE_INTERVAL_MS,
    },
    logLevel: env.LOG_LEVEL,
  };
}
