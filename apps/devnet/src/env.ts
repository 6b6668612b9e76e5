import {
  databaseUrl,
  type Environment,
  optional,
  readEnvironment,
  textOf,
  type ValuesOf,
  wholeNumber,
} from '@core/runtime';

/** Settings of the local stack. Everything has a default. */
export const settings = {
  LEV_PORT_BASE: optional(wholeNumber(1_024, 65_000)),
  LEV_STATE_DIR: optional(textOf()),
  LEV_SEED: optional(textOf()),
  DATABASE_URL: optional(databaseUrl),
};

/** What each setting means, for a reader: the help and docs/local-stack.md print it. */
export const settingTexts: Readonly<
  Record<keyof typeof settings, { readonly byDefault: string; readonly text: string }>
> = {
  LEV_PORT_BASE: {
    byDefault: 'the usual ports',
    text: 'first port; PostgreSQL, chain, venue, API, price signer, metrics of the API and of the keeper, second price signer, console follow in this order',
  },
  LEV_STATE_DIR: { byDefault: '`.lev` in the checkout', text: 'folder of everything the stack keeps' },
  LEV_SEED: { byDefault: '42', text: "seed of the venue's worlds; a kept stack goes on with its own" },
  DATABASE_URL: {
    byDefault: 'the embedded PostgreSQL',
    text: 'a PostgreSQL server to use instead, with a user that may create databases',
  },
};

export type DevnetEnv = ValuesOf<typeof settings>;

/** @throws FriendlyError with a line for every variable at fault. */
export function readEnv(environment: Environment): DevnetEnv {
  return readEnvironment({ program: 'start', settings, ownPrefixes: ['LEV_'] }, environment);
}
