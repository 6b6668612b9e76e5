import { type KeySource, keySourceOf, keyUrl } from '@core/keys';
import { policyAtPace, policyDefaults } from '@core/policy';
import {
  address,
  type Environment,
  fileOf,
  httpUrl,
  interfaceAddress,
  loopbackAddress,
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
  required,
  textOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { selectedVenueOf, venueSettings } from '@core/venue';
import type { PriceSignerOptions } from './startPriceSigner.ts';

/** Settings of the price signer's process. No other program has its key or shares its feed. */
const settings = {
  /** Interface of the price signer: its secret crosses the network, so any other than loopback needs TLS before it. */
  LISTEN_HOST: withDefault(interfaceAddress, loopbackAddress),
  PRICE_SIGNER_PORT: withDefault(port, 4004),
  /** File with the key that signs attestations: a file path shows no key in a process list. */
  PRICE_SIGNER_KEY_FILE: optional(fileOf(privateKey)),
  /** Place of that key instead of a file, and its address. */
  PRICE_SIGNER_KEY_URL: optional(keyUrl),
  PRICE_SIGNER_KEY_ADDRESS: optional(address),
  /** Shared with the keeper. */
  PRICE_SIGNER_SECRET: required(textOf(16)),
  /** `yes`: end grants whose mark left their price path, with transactions of the same key, which needs gas. */
  PRICE_SIGNER_END_GRANTS: withDefault(oneOf(['no', 'yes']), 'yes'),
  /** Age of the last block, in seconds, above which the signer is not ready: its node stands still. */
  PRICE_SIGNER_MAX_HEAD_AGE_SECONDS: withDefault(wholeNumber(2, 600), 20),
  ...nodeSettings,
  VAULT_ADDRESS: required(address),
  /** Seconds from one block of the chain to the next, the same as the API's; 0 for one that mines at once. */
  BLOCK_SECONDS: withDefault(wholeNumber(0, 60), 2),
  ...venueSettings,
  /** Origin of the simulator whose clock is followed; the system clock by default. */
  CLOCK_URL: optional(httpUrl),
  /** Time between two pages of the catalogue of trading markets, in milliseconds. */
  CATALOGUE_INTERVAL_MS: withDefault(wholeNumber(1_000), 5_000),
  ...programSettings,
};

/** Settings of one process. */
export interface PriceSignerEnv extends ProgramEnv {
  readonly options: Omit<PriceSignerOptions, 'logger' | 'signer'>;
  /** Key that signs attestations. */
  readonly key: KeySource;
}

/** Read and check the environment. @throws FriendlyError with a line for every invalid variable. */
export function readEnv(environment: Environment): PriceSignerEnv {
  const definition = {
    program: 'price-signer',
    settings,
    ownPrefixes: ['PRICE_SIGNER_'],
    // Where the keeper finds every signer, and what it shares with each.
    elsewhere: ['PRICE_SIGNER_URLS', 'PRICE_SIGNER_SECRETS'],
  };
  const env = readEnvironment(definition, environment);
  const { hosts, profile, reference } = selectedVenueOf(env);
  const { PRICE_SIGNER_KEY_FILE: file, PRICE_SIGNER_KEY_URL: url, PRICE_SIGNER_KEY_ADDRESS: keyAddress } = env;
  return {
    options: {
      host: env.LISTEN_HOST,
      port: env.PRICE_SIGNER_PORT,
      bearerSecret: env.PRICE_SIGNER_SECRET,
      isEndingGrants: env.PRICE_SIGNER_END_GRANTS === 'yes',
      ...nodesOfEnv(env),
      vault: env.VAULT_ADDRESS,
      config: policyAtPace(policyDefaults, env.BLOCK_SECONDS),
      venueUrl: hosts.url,
      catalogueUrl: hosts.catalogueUrl,
      dataUrl: hosts.dataUrl,
      catalogueList: profile.catalogueList,
      venueLimits: profile.limits,
      marketSocketUrl: hosts.marketSocketUrl,
      reference,
      unstatedSettlement: profile.unstatedSettlement,
      ...(env.CLOCK_URL === undefined ? {} : { clockUrl: env.CLOCK_URL }),
      catalogueIntervalMs: env.CATALOGUE_INTERVAL_MS,
      maxHeadAgeMs: env.PRICE_SIGNER_MAX_HEAD_AGE_SECONDS * 1_000,
    },
    key: keySourceOf({ name: 'PRICE_SIGNER_KEY', file, url, address: keyAddress }),
    ...programEnvOf(env),
  };
}
