import { type KeySource, keySourceOf, keyUrl } from '@core/keys';
import { routeNames } from '@core/policy';
import {
  address,
  blockNumber,
  databaseUrl,
  defaultMaxFeeGwei,
  type Environment,
  fileOf,
  httpUrl,
  json,
  listOf,
  nodeSettings,
  oneOf,
  optional,
  port,
  privateKey,
  readEnvironment,
  redisUrl,
  required,
  type ValuesOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { selectedVenueOf, venueSettings } from '@core/venue';

/** Settings of the programs that `operate doctor` checks, under the names that the programs read. */
const settings = {
  DATABASE_URL: required(databaseUrl),
  REDIS_URL: optional(redisUrl),
  ...nodeSettings,
  VAULT_ADDRESS: required(address),
  POOL_ADDRESS: required(address),
  USDC_ADDRESS: required(address),
  EXCHANGE_ADDRESS: optional(address),
  CONDITIONAL_TOKENS_ADDRESS: optional(address),
  DEPLOYMENT_BLOCK: optional(blockNumber),
  ...venueSettings,
  CLOCK_URL: optional(httpUrl),
  ENVIRONMENT: withDefault(oneOf(['sandbox', 'production']), 'sandbox'),
  PORT: withDefault(port, 8080),
  ROUTE: withDefault(oneOf(routeNames), 'fill'),
  QUOTE_SIGNER_KEY_FILE: optional(fileOf(privateKey)),
  QUOTE_SIGNER_KEY_URL: optional(keyUrl),
  QUOTE_SIGNER_KEY_ADDRESS: optional(address),
  TOKEN_KEYS_FILE: optional(fileOf(json)),
  KEEPER_KEY_FILE: optional(fileOf(privateKey)),
  KEEPER_KEY_URL: optional(keyUrl),
  KEEPER_KEY_ADDRESS: optional(address),
  KEEPER_MAX_FEE_GWEI: withDefault(wholeNumber(1), defaultMaxFeeGwei),
  PRICE_SIGNER_URLS: withDefault(listOf(httpUrl), []),
  ORACLE_ADDRESSES: withDefault(listOf(address), []),
  MAX_HEAD_AGE_SECONDS: withDefault(wholeNumber(2, 600), 20),
};

/** Settings that are paths of files with secrets. */
const secretFiles = ['QUOTE_SIGNER_KEY_FILE', 'TOKEN_KEYS_FILE', 'KEEPER_KEY_FILE', 'PRICE_SIGNER_KEY_FILE'] as const;

export interface DoctorSettings extends ValuesOf<typeof settings> {
  /** Origin of the venue's orders and books. */
  readonly venueUrl: string;
  /** Keys of quotes and of the keeper; null where none is set. */
  readonly quoteKey: KeySource | null;
  readonly keeperKey: KeySource | null;
  /** Paths of files with secrets, by setting. */
  readonly secretPaths: readonly (readonly [string, string])[];
}

/** Read and validate the environment. @throws FriendlyError with a line for every invalid variable. */
export function readDoctorSettings(environment: Environment): DoctorSettings {
  const values = readEnvironment({ program: 'operate doctor', settings, ownPrefixes: [] }, environment);
  const secretPaths = secretFiles.flatMap((name) => {
    const path = environment[name] ?? '';
    return path === '' ? [] : [[name, path] as const];
  });
  const quoteKey = sourceOf('QUOTE_SIGNER_KEY', values);
  const keeperKey = sourceOf('KEEPER_KEY', values);
  return { ...values, quoteKey, keeperKey, venueUrl: selectedVenueOf(values).hosts.url, secretPaths };
}

function sourceOf(name: 'QUOTE_SIGNER_KEY' | 'KEEPER_KEY', values: ValuesOf<typeof settings>): KeySource | null {
  const { [`${name}_FILE` as const]: file, [`${name}_URL` as const]: url } = values;
  if (file === undefined && url === undefined) return null;
  return keySourceOf({ name, file, url, address: values[`${name}_ADDRESS`] });
}
