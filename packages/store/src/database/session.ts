import { Client, type ClientBase, type ClientConfig } from 'pg';
import { rowTypes } from './rowTypes.ts';

/** Settings of a session by name, as `pg_settings` shows them: durations in milliseconds. */
export type SessionSettings = Readonly<Record<string, string>>;

const connectTimeoutMs = 5_000;
/** Silence after which this end probes the connection; the system chooses what follows the first probe. */
const keepAliveDelayMs = 5_000;

/** A lock that takes longer is of no use to anyone any more, and a wait without a limit holds up all behind it. */
const lockTimeoutMs = 5_000;

/**
 * Settings on which statements depend. `ALTER DATABASE`, `ALTER ROLE` and the options of the address may change their
 * defaults. Prisma writes and reads times without their zone; texts of times are read in the date style ISO.
 */
export const commonSettings: SessionSettings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  default_transaction_isolation: 'read committed',
  lock_timeout: String(lockTimeoutMs),
};

/**
 * Settings by which the server detects a dead client: it probes after 5 s of silence, gives up after three probes or 10
 * s without an acknowledgement, and releases the session's locks. Its own defaults are hours. A connection without TCP
 * ignores them.
 */
const keepAliveSettings: SessionSettings = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
};

/** Return the settings of a connection that apply before the server answers. */
export function clientConfigOf(databaseUrl: string): ClientConfig {
  return {
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    types: rowTypes,
  };
}

const setText = `SELECT set_config(name, setting, false), pg_backend_pid() AS pid
  FROM unnest($1::text[], $2::text[]) AS own (name, setting)`;

/**
 * Set what statements depend on, after connecting. Options of the connection's start would replace those of the
 * address or be replaced by them, and poolers refuse or drop them.
 * @returns Number of the server's process.
 */
export async function prepareSession(client: ClientBase, settings: SessionSettings): Promise<number> {
  const all = { ...commonSettings, ...keepAliveSettings, ...settings };
  const values = [Object.keys(all), Object.values(all)];
  const statement = { text: setText, values, query_timeout: connectTimeoutMs };
  const { rows } = await client.query<{ readonly pid: number }>(statement);
  return rows[0]?.pid ?? 0;
}

/** Connection outside the pool. */
interface SessionConfig extends ClientConfig {
  readonly databaseUrl: string;
  /** Settings besides those of all sessions. */
  readonly settings?: SessionSettings;
}

/**
 * Open a connection of its own. It ends when the server ends it, and reports that by its event `end` alone.
 * @throws what the driver throws when the server does not answer or refuses.
 */
export async function openSession({ databaseUrl, settings = {}, ...config }: SessionConfig): Promise<Client> {
  const client = new Client({ ...clientConfigOf(databaseUrl), ...config });
  // `end` follows every error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await prepareSession(client, settings);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
