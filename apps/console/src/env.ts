import {
  address,
  type Environment,
  FriendlyError,
  httpUrl,
  json,
  listOf,
  optional,
  type ProgramEnv,
  port,
  programEnvOf,
  programSettings,
  readEnvironment,
  required,
  textOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { z } from 'zod';
import type { ConsoleOptions } from './server/startConsole.ts';

/** Settings of the console server. Only the server holds the partner key; no page receives it. */
const settings = {
  CONSOLE_PORT: withDefault(port, 8_060),
  /** Public origin of the console; unset for a loopback port. */
  CONSOLE_ORIGIN: optional(httpUrl),
  CONSOLE_PARTNER_KEY: required(textOf(16)),
  /** Named development accounts with their keys, as JSON. For local chains only: pages publish the keys. */
  CONSOLE_ACCOUNTS: optional(json),
  /** Origin of the venue simulator of a local stack, whose scenarios pages may play. */
  CONSOLE_VENUE_URL: optional(httpUrl),
  /** Origin of the operational endpoints of the API (`/readyz`, `/metrics`), for the operator page. */
  CONSOLE_API_OPERATIONS_URL: optional(httpUrl),
  CONSOLE_KEEPER_OPERATIONS_URL: optional(httpUrl),
  /** Origins of the metrics of fillers, separated by commas. */
  CONSOLE_FILLER_OPERATIONS_URLS: optional(listOf(httpUrl)),
  /** Block explorer of the chain, such as `https://polygonscan.com`; unset for a chain without one. */
  CONSOLE_EXPLORER_URL: optional(httpUrl),
  API_URL: required(httpUrl),
  RPC_URL: required(httpUrl),
  CHAIN_ID: required(wholeNumber(1)),
  VAULT_ADDRESS: required(address),
  POOL_ADDRESS: required(address),
  ...programSettings,
};

const hex = z.templateLiteral(['0x', z.string()]);
const accountsSchema = z.array(z.object({ name: z.string(), address: hex, privateKey: hex }));

interface ConsoleEnv extends ProgramEnv {
  readonly options: Omit<ConsoleOptions, 'logger'>;
}

/** Read and check the environment. @throws FriendlyError with one line for each invalid variable. */
export function readEnv(environment: Environment): ConsoleEnv {
  const env = readEnvironment({ program: 'console', settings, ownPrefixes: ['CONSOLE_'] }, environment);
  const localOrigins = {
    venueUrl: env.CONSOLE_VENUE_URL ?? null,
    apiOperationsUrl: env.CONSOLE_API_OPERATIONS_URL ?? null,
    keeperOperationsUrl: env.CONSOLE_KEEPER_OPERATIONS_URL ?? null,
    fillerOperationsUrls: env.CONSOLE_FILLER_OPERATIONS_URLS ?? [],
  };
  if (
    env.CONSOLE_ORIGIN !== undefined &&
    Object.values(localOrigins)
      .flat()
      .some((origin) => origin !== null)
  ) {
    throw new FriendlyError(
      'console: CONSOLE_ORIGIN makes the pages public, and venue control and operations are restricted to this ' +
        'machine: run a second console without CONSOLE_ORIGIN for them',
    );
  }
  return {
    options: {
      port: env.CONSOLE_PORT,
      origin: env.CONSOLE_ORIGIN ?? null,
      partnerKey: env.CONSOLE_PARTNER_KEY,
      localOrigins,
      page: {
        apiUrl: env.API_URL,
        rpcUrl: env.RPC_URL,
        chainId: env.CHAIN_ID,
        vault: env.VAULT_ADDRESS,
        pool: env.POOL_ADDRESS,
        explorerUrl: env.CONSOLE_EXPLORER_URL?.replace(/\/+$/, '') ?? null,
        accounts: accountsSchema.parse(env.CONSOLE_ACCOUNTS ?? []),
        hasVenueControl: localOrigins.venueUrl !== null,
        hasOperations: localOrigins.apiOperationsUrl !== null || localOrigins.keeperOperationsUrl !== null,
      },
    },
    ...programEnvOf(env),
  };
}
