import { routeNames } from '@core/policy';
import {
  databaseUrl,
  type Environment,
  oneOf,
  optional,
  readEnvironment,
  textOf,
  timeOfDay,
  type ValuesOf,
  wholeNumber,
} from '@core/runtime';

/** Settings of the local stack. All have a default. */
export const settings = {
  LEV_PORT_BASE: optional(wholeNumber(1_024, 65_000)),
  LEV_STATE_DIR: optional(textOf()),
  LEV_SEED: optional(textOf()),
  LEV_START_TIME: optional(timeOfDay),
  ROUTE: optional(oneOf(routeNames)),
  DATABASE_URL: optional(databaseUrl),
};

/** Description of each setting, printed by the help and in docs/local-stack.md. */
export const settingTexts: Readonly<
  Record<keyof typeof settings, { readonly byDefault: string; readonly text: string }>
> = {
  LEV_PORT_BASE: {
    byDefault: 'the default ports',
    text: 'first of the ports, without those that fetch refuses, in this order: PostgreSQL, chain, venue, API, price signer, metrics of API and keeper, second price signer, console, metrics of the filler',
  },
  LEV_STATE_DIR: { byDefault: '`.lev` in the checkout', text: 'folder of the stored state' },
  LEV_SEED: { byDefault: '42', text: "seed of the venue's worlds; a stored stack keeps its own" },
  LEV_START_TIME: {
    byDefault: 'now',
    text: 'time of day at which a new chain begins, `HH:MM` in UTC: the next one, up to a day ahead of this machine',
  },
  ROUTE: {
    byDefault: 'fill',
    text: 'route of orders: `fill` lets fillers trade with the vault, `direct` trades at the venue',
  },
  DATABASE_URL: {
    byDefault: 'the embedded PostgreSQL',
    text: 'another PostgreSQL server, with a user that may create databases',
  },
};

export type DevnetEnv = ValuesOf<typeof settings>;

/** Read and check the environment. @throws FriendlyError with a line for every variable at fault. */
export function readEnv(environment: Environment): DevnetEnv {
  return readEnvironment({ program: 'start', settings, ownPrefixes: ['LEV_'] }, environment);
}
