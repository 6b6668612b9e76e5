import {
  address,
  type Environment,
  FriendlyError,
  httpUrl,
  type LogLevel,
  listOf,
  logLevel,
  oneOf,
  optional,
  port,
  privateKey,
  readEnvironment,
  textOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import type { VenueSimOptions } from './startVenueSim.ts';

/** Settings of the simulator. Without `RPC_URL` it trades on paper; with it all chain settings are needed. */
const settings = {
  VENUE_SIM_PORT: withDefault(port, 8090),
  VENUE_SIM_HOST: withDefault(textOf(), '127.0.0.1'),
  VENUE_SIM_SEED: withDefault(textOf(), '42'),
  /** How many strikes the day of an asset lists at least; 244 make a thousand crypto markets. */
  VENUE_SIM_STRIKES_PER_ASSET: withDefault(wholeNumber(0), 0),
  LOG_LEVEL: withDefault(logLevel, 'info'),
  RPC_URL: optional(httpUrl),
  CHAIN_ID: withDefault(wholeNumber(1), 31_337),
  USDC_ADDRESS: optional(address),
  CONDITIONAL_TOKENS_ADDRESS: optional(address),
  EXCHANGE_ADDRESS: optional(address),
  EXCHANGE_DOMAIN_NAME: withDefault(textOf(), 'Venue Exchange'),
  EXCHANGE_DOMAIN_VERSION: withDefault(textOf(), '2'),
  VENUE_OPERATOR_KEY: optional(privateKey),
  VENUE_ORACLE_KEY: optional(privateKey),
  VENUE_MAKER_KEYS: optional(listOf(privateKey, 1)),
  VENUE_TAKER_KEYS: optional(listOf(privateKey, 1)),
  /** `required`: orders, trades and the user socket only with credentials. */
  VENUE_SIM_CREDENTIALS: withDefault(oneOf(['none', 'required']), 'none'),
  /** File of the venue's memory; without it a venue that is started again begins anew. */
  VENUE_SIM_JOURNAL: optional(textOf()),
};

/** Settings of one process. */
export interface VenueSimEnv {
  readonly options: VenueSimOptions;
  readonly logLevel: LogLevel;
}

/** Options from the environment. @throws FriendlyError with a line for every variable at fault. */
export function optionsFromEnv(environment: Environment): VenueSimEnv {
  const env = readEnvironment({ program: 'venue-sim', settings, ownPrefixes: ['VENUE_SIM_'] }, environment);
  const options: VenueSimOptions = {
    port: env.VENUE_SIM_PORT,
    host: env.VENUE_SIM_HOST,
    seed: env.VENUE_SIM_SEED,
    strikesPerAsset: env.VENUE_SIM_STRIKES_PER_ASSET,
    requiresCredentials: env.VENUE_SIM_CREDENTIALS === 'required',
    ...(env.VENUE_SIM_JOURNAL === undefined ? {} : { journalFile: env.VENUE_SIM_JOURNAL }),
    ...(env.VENUE_MAKER_KEYS === undefined ? {} : { makerKeys: env.VENUE_MAKER_KEYS }),
    ...(env.VENUE_TAKER_KEYS === undefined ? {} : { takerKeys: env.VENUE_TAKER_KEYS }),
  };
  if (env.RPC_URL === undefined) return { options, logLevel: env.LOG_LEVEL };
  const { USDC_ADDRESS: usdc, CONDITIONAL_TOKENS_ADDRESS: conditionalTokens, EXCHANGE_ADDRESS: exchange } = env;
  const { VENUE_OPERATOR_KEY: operatorKey, VENUE_ORACLE_KEY: oracleKey } = env;
  if (!usdc || !conditionalTokens || !exchange || !operatorKey || !oracleKey) {
    throw new FriendlyError(
      'RPC_URL also needs USDC_ADDRESS, CONDITIONAL_TOKENS_ADDRESS, EXCHANGE_ADDRESS, VENUE_OPERATOR_KEY and ' +
        'VENUE_ORACLE_KEY: set them, or leave RPC_URL out to trade on paper',
    );
  }
  return {
    options: {
      ...options,
      rpcUrl: env.RPC_URL,
      chainId: env.CHAIN_ID,
      contracts: { usdc, conditionalTokens, exchange },
      venueDomain: { name: env.EXCHANGE_DOMAIN_NAME, version: env.EXCHANGE_DOMAIN_VERSION },
      operatorKey,
      oracleKey,
    },
    logLevel: env.LOG_LEVEL,
  };
}
