import {
  address,
  type Codec,
  type Environment,
  FriendlyError,
  fileOf,
  httpUrl,
  json,
  oneOf,
  optional,
  type ProgramEnv,
  port,
  programEnvOf,
  programSettings,
  readEnvironment,
  textOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { venueProfiles } from '@core/venue';
import type { Hex } from 'viem';
import { z } from 'zod';
import type { VenueSimOptions } from './startVenueSim.ts';

const key = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)]) satisfies z.ZodType<Hex>;
const keys = z.array(key).min(1).optional();
const keysSchema = z.strictObject({ operator: key.optional(), oracle: key.optional(), makers: keys, takers: keys });

/** Private keys of the simulator. */
const venueKeys: Codec<z.infer<typeof keysSchema>> = {
  expects: 'JSON with private keys as operator, oracle, makers and takers',
  read: (text) => keysSchema.safeParse(json.read(text)).data,
};

/** Settings of the simulator. Without `RPC_URL` it trades on paper; with it all chain settings are needed. */
const settings = {
  VENUE_SIM_PORT: withDefault(port, 8090),
  VENUE_SIM_HOST: withDefault(textOf(), '127.0.0.1'),
  VENUE_SIM_SEED: withDefault(textOf(), '42'),
  /** Minimum number of daily strikes per asset; 244 give a thousand crypto markets. */
  VENUE_SIM_STRIKES_PER_ASSET: withDefault(wholeNumber(0), 0),
  ...programSettings,
  RPC_URL: optional(httpUrl),
  CHAIN_ID: optional(wholeNumber(1)),
  USDC_ADDRESS: optional(address),
  CONDITIONAL_TOKENS_ADDRESS: optional(address),
  EXCHANGE_ADDRESS: optional(address),
  /** Contracts of deposit wallets on that chain; without them wallets exist in the simulator alone. */
  WALLET_FACTORY_ADDRESS: optional(address),
  WALLET_BEACON_ADDRESS: optional(address),
  /** Signing domain of the exchange; that of the profile by default. */
  EXCHANGE_DOMAIN_NAME: optional(textOf()),
  EXCHANGE_DOMAIN_VERSION: optional(textOf()),
  /** File with the private keys of operator, oracle, makers and takers, as JSON. */
  VENUE_KEYS_FILE: optional(fileOf(venueKeys)),
  /** `real`: names, domains and addresses of the real venue, with keys of the simulator's own. */
  VENUE_SIM_PROFILE: withDefault(oneOf(['simulator', 'real']), 'simulator'),
  /** `required`: orders, trades and the user socket need credentials. */
  VENUE_SIM_CREDENTIALS: optional(oneOf(['none', 'required'])),
  /** `allow` accepts every account as a maker, as if allowlisted by the venue. */
  VENUE_SIM_FOREIGN_MAKERS: optional(oneOf(['allow', 'refuse'])),
  /** Journal file; without it a restarted venue starts from scratch. */
  VENUE_SIM_JOURNAL: optional(textOf()),
};

/** Settings of one process. */
export interface VenueSimEnv extends ProgramEnv {
  readonly options: VenueSimOptions;
}

/** Parse the options from the environment. @throws FriendlyError with a line for every invalid variable. */
export function optionsFromEnv(environment: Environment): VenueSimEnv {
  const env = readEnvironment({ program: 'venue-sim', settings, ownPrefixes: ['VENUE_SIM_'] }, environment);
  const { operator: operatorKey, oracle: oracleKey, makers: makerKeys, takers: takerKeys } = env.VENUE_KEYS_FILE ?? {};
  const options: VenueSimOptions = {
    port: env.VENUE_SIM_PORT,
    host: env.VENUE_SIM_HOST,
    seed: env.VENUE_SIM_SEED,
    strikesPerAsset: env.VENUE_SIM_STRIKES_PER_ASSET,
    profile: venueProfiles[env.VENUE_SIM_PROFILE],
    ...(env.VENUE_SIM_CREDENTIALS === undefined
      ? {}
      : { requiresCredentials: env.VENUE_SIM_CREDENTIALS === 'required' }),
    ...(env.CHAIN_ID === undefined ? {} : { chainId: env.CHAIN_ID }),
    ...(env.VENUE_SIM_FOREIGN_MAKERS === undefined
      ? {}
      : { acceptsForeignMakers: env.VENUE_SIM_FOREIGN_MAKERS === 'allow' }),
    ...(env.VENUE_SIM_JOURNAL === undefined ? {} : { journalFile: env.VENUE_SIM_JOURNAL }),
    ...(makerKeys === undefined ? {} : { makerKeys }),
    ...(takerKeys === undefined ? {} : { takerKeys }),
  };
  if (env.RPC_URL === undefined) return { options, ...programEnvOf(env) };
  const { USDC_ADDRESS: usdc, CONDITIONAL_TOKENS_ADDRESS: conditionalTokens, EXCHANGE_ADDRESS: exchange } = env;
  if (!usdc || !conditionalTokens || !exchange || !operatorKey || !oracleKey) {
    throw new FriendlyError(
      'RPC_URL also needs USDC_ADDRESS, CONDITIONAL_TOKENS_ADDRESS, EXCHANGE_ADDRESS and VENUE_KEYS_FILE with operator ' +
        'and oracle: set them, or leave RPC_URL out to trade on paper',
    );
  }
  const { WALLET_FACTORY_ADDRESS: walletFactory, WALLET_BEACON_ADDRESS: walletBeacon } = env;
  if (!walletFactory !== !walletBeacon) {
    throw new FriendlyError('set WALLET_FACTORY_ADDRESS together with WALLET_BEACON_ADDRESS, or neither');
  }
  return {
    options: {
      ...options,
      rpcUrl: env.RPC_URL,
      contracts: { usdc, conditionalTokens, exchange },
      ...(walletFactory && walletBeacon ? { walletContracts: { walletFactory, walletBeacon } } : {}),
      ...(env.EXCHANGE_DOMAIN_NAME === undefined || env.EXCHANGE_DOMAIN_VERSION === undefined
        ? {}
        : { venueDomain: { name: env.EXCHANGE_DOMAIN_NAME, version: env.EXCHANGE_DOMAIN_VERSION } }),
      operatorKey,
      oracleKey,
    },
    ...programEnvOf(env),
  };
}
