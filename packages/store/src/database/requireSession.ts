import { FriendlyError } from '@core/runtime';
import { brokenPremiseOf, type SessionState } from './premises.ts';
import { commonSettings, openSession, prepareSession } from './session.ts';
import { poolSettingsOf } from './sql.ts';

const stateText = `SELECT pg_backend_pid() AS pid, current_schema() AS schema, pg_is_in_recovery() AS "isStandby",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    (SELECT json_object_agg(name, setting) FROM pg_settings WHERE name = ANY($1)) AS settings`;

/**
 * Check that sessions of a database are as the service needs them: their settings hold, and they can write.
 * @throws FriendlyError of one line, without credentials, with the premise and what to do.
 */
export async function requireSession(databaseUrl: string): Promise<void> {
  const settings = { ...commonSettings, ...poolSettingsOf(false) };
  const state = await observeSession(databaseUrl, settings).catch((cause: unknown) => {
    throw refusalOf(databaseUrl, cause);
  });
  const broken = brokenPremiseOf(state, settings);
  if (broken !== null) throw new FriendlyError(`The database at ${new URL(databaseUrl).host}: ${broken}.`);
}

async function observeSession(databaseUrl: string, settings: SessionState['settings']): Promise<SessionState> {
  const client = await openSession({ databaseUrl });
  try {
    const pid = await prepareSession(client, settings);
    const { rows } = await client.query<Omit<SessionState, 'isOneProcess'> & { readonly pid: number }>(stateText, [
      Object.keys(settings),
    ]);
    const [row] = rows;
    if (row === undefined) throw new Error('the server did not answer with a row');
    return { ...row, isOneProcess: row.pid === pid };
  } finally {
    await client.end();
  }
}

/** Return a failure of the server as one line without credentials. */
export function refusalOf(databaseUrl: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const reason = cause.message === '' ? (Reflect.get(cause, 'code') ?? cause.name) : cause.message;
  return new FriendlyError(`The database at ${new URL(databaseUrl).host} refuses: ${String(reason)}`, { cause });
}
