import {
  address,
  type Environment,
  FriendlyError,
  httpUrl,
  json,
  type LogLevel,
  logLevel,
  optional,
  port,
  readEnvironment,
  required,
  textOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { z } from 'zod';
import type { ConsoleOptions } from './server/startConsole.ts';

/** Settings of the program that serves the console. It alone holds the partner's key; no page ever sees it. */
const settings = {
  CONSOLE_PORT: withDefault(port, 8_060),
  /** Origin under which people reach it, where that is not its own port of this machine. */
  CONSOLE_ORIGIN: optional(httpUrl),
  CONSOLE_PARTNER_KEY: required(textOf(16)),
  /** Named development accounts as JSON, with their keys: of a local chain only, for pages show them to everyone. */
  CONSOLE_ACCOUNTS: optional(json),
  /** Venue simulator of a local stack: pages may break it on purpose. */
  CONSOLE_VENUE_URL: optional(httpUrl),
  /** Where API and keeper show how they are doing (`/readyz`, `/metrics`): pages for operators read it. */
  CONSOLE_API_OPERATIONS_URL: optional(httpUrl),
  CONSOLE_KEEPER_OPERATIONS_URL: optional(httpUrl),
  API_URL: required(httpUrl),
  RPC_URL: required(httpUrl),
  CHAIN_ID: required(wholeNumber(1)),
  VAULT_ADDRESS: required(address),
  POOL_ADDRESS: required(address),
  LOG_LEVEL: withDefault(logLevel, 'info'),
};

const hex = z.templateLiteral(['0x', z.string()]);
const accountsSchema = z.array(z.object({ name: z.string(), address: hex, privateKey: hex }));

interface ConsoleEnv {
  readonly options: Omit<ConsoleOptions, 'logger'>;
  readonly logLevel: LogLevel;
}

/** Reads and checks the environment. @throws FriendlyError with a line for every variable at fault. */
export function readEnv(environment: Environment): ConsoleEnv {
  const env = readEnvironment({ program: 'console', settings, ownPrefixes: ['CONSOLE_'] }, environment);
  const places = {
    venueUrl: env.CONSOLE_VENUE_URL ?? null,
    apiOperationsUrl: env.CONSOLE_API_OPERATIONS_URL ?? null,
    keeperOperationsUrl: env.CONSOLE_KEEPER_OPERATIONS_URL ?? null,
  };
  if (env.CONSOLE_ORIGIN !== undefined && Object.values(places).some((place) => place !== null)) {
    throw new FriendlyError(
      'console: CONSOLE_ORIGIN opens the pages to others, and the venue’s control and the operations are for this ' +
        'machine alone: run a second console without CONSOLE_ORIGIN for them',
    );
  }
  return {
    options: {
      port: env.CONSOLE_PORT,
      origin: env.CONSOLE_ORIGIN ?? null,
      partnerKey: env.CONSOLE_PARTNER_KEY,
      places,
      page: {
        apiUrl: env.API_URL,
        rpcUrl: env.RPC_URL,
        chainId: env.CHAIN_ID,
        vault: env.VAULT_ADDRESS,
        pool: env.POOL_ADDRESS,
        accounts: accountsSchema.parse(env.CONSOLE_ACCOUNTS ?? []),
        hasVenueControl: places.venueUrl !== null,
        hasOperations: places.apiOperationsUrl !== null || places.keeperOperationsUrl !== null,
      },
    },
    logLevel: env.LOG_LEVEL,
  };
}
