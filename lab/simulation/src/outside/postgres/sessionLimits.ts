import { columnsOf, messageOf, type ServerMessage } from './serverMessages.ts';

/** Settings of the server that end a wait, and which the simulation enforces in virtual time. */
const settings = {
  statementMs: 'statement_timeout',
  lockMs: 'lock_timeout',
  idleTransactionMs: 'idle_in_transaction_session_timeout',
  idleSessionMs: 'idle_session_timeout',
} as const;

type Limit = keyof typeof settings;
const limits: readonly Limit[] = ['statementMs', 'lockMs', 'idleTransactionMs', 'idleSessionMs'];

/** Limits of a session in virtual milliseconds; zero for none. */
export type SessionLimits = Readonly<Record<Limit, number>>;

export const noLimits: SessionLimits = { statementMs: 0, lockMs: 0, idleTransactionMs: 0, idleSessionMs: 0 };

const names = '(statement|lock|idle_in_transaction_session|idle_session)';
const ownName = new RegExp(String.raw`(?<!\w)${names}_(?=timeout(?!\w))`, 'gi');
const hiddenName = new RegExp(String.raw`(?<!\w)${names}\.(?=timeout(?!\w))`, 'gi');
/** Name of a setting that the server stores and never acts on. Its scope and its end are those of every setting. */
const hidden = (setting: string): string => setting.replace(/_timeout$/, '.timeout');

/** Return what a client sends with the settings under names on which the server does not act, of the same length. */
export function hideLimits(bytes: Buffer): Buffer {
  if (!bytes.includes('timeout') && !bytes.includes('TIMEOUT') && !bytes.includes('pg_settings')) return bytes;
  const text = bytes
    .toString('latin1')
    .replaceAll(ownName, '$1.')
    .replaceAll(/(?<!\w)pg_(?=settings(?!\w))/g, 'vt_');
  return Buffer.from(text, 'latin1');
}

/** Return what the server answers with the names that the client used. */
export function showLimits(bytes: Buffer): Buffer {
  if (!bytes.includes('timeout') && !bytes.includes('TIMEOUT') && !bytes.includes('vt_settings')) return bytes;
  const text = bytes
    .toString('latin1')
    .replaceAll(hiddenName, '$1_')
    .replaceAll(/(?<!\w)vt_(?=settings(?!\w))/g, 'pg_');
  return Buffer.from(text, 'latin1');
}

const valueOf = (setting: string): string => `pg_catalog.current_setting('${hidden(setting)}', true)`;
const settingNames = limits.map((limit) => settings[limit]);

/** A view that shows the settings as `pg_settings` does: in milliseconds. */
export const settingsView = `CREATE OR REPLACE VIEW pg_catalog.vt_settings AS
  SELECT CASE
    ${settingNames.map((name) => `WHEN name = '${name}' THEN '${hidden(name)}'`).join(' ')} ELSE name END AS name,
    CASE WHEN own.value IS NULL THEN setting WHEN own.value ~ '^\\s*\\d+\\s*$' THEN own.value
      ELSE (extract(epoch FROM own.value::interval) * 1000)::bigint::text END AS setting,
    unit, category, short_desc, extra_desc, context, vartype, source, min_val, max_val, enumvals, boot_val, reset_val,
    sourcefile, sourceline, pending_restart
  FROM pg_catalog.pg_settings, LATERAL (SELECT nullif(CASE name
    ${settingNames.map((name) => `WHEN '${name}' THEN ${valueOf(name)}`).join(' ')} END, '') AS value) AS own`;

/** Moves the defaults of a new session to the hidden names. The server's own limits are off from here on. */
export const hideDefaults = messageOf(
  'Q',
  Buffer.from(
    `SELECT ${settingNames
      .map(
        (name) => `set_config('${hidden(name)}', coalesce(${valueOf(name)}, current_setting('${name}')), false),
          set_config('${name}', '0', false)`,
      )
      .join(', ')}\0`,
  ),
);

const own = 'vt\0';

/** Return messages that run a statement, without a change of what the client has prepared. */
function runOf(text: string): Buffer {
  const counts = Buffer.alloc(6);
  return Buffer.concat([
    messageOf('P', Buffer.concat([Buffer.from(`${own}${text}\0`), counts.subarray(0, 2)])),
    messageOf('B', Buffer.concat([Buffer.from(`${own}${own}`), counts])),
    messageOf('E', Buffer.concat([Buffer.from(own), counts.subarray(0, 4)])),
    messageOf('C', Buffer.from(`P${own}`)),
    messageOf('C', Buffer.from(`S${own}`)),
  ]);
}

export const syncMessage = messageOf('S', Buffer.alloc(0));

/** Reads limits, whether the session listens, and which transactions have ended. */
export const readAtRest = Buffer.concat([
  runOf(`SELECT ${settingNames.map(valueOf).join(', ')},
    EXISTS (SELECT FROM pg_catalog.pg_listening_channels()), pg_catalog.pg_current_snapshot()`),
  syncMessage,
]);

/** Reads the limits alone, without a snapshot: a transaction that has not read yet takes its own later. */
export const readInTransaction = Buffer.concat([
  ...settingNames.map((name) => runOf(`SHOW ${hidden(name)}`)),
  syncMessage,
]);

const unitMs: Readonly<Record<string, number>> = {
  us: 0.001,
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Return a duration of a setting in milliseconds; null for an empty one. */
function durationMsOf(text: string | null | undefined): number | null {
  if (text === null || text === undefined || text === '') return null;
  const [, count, unit = 'ms'] = /^\s*(\d+(?:\.\d+)?)\s*(us|ms|s|min|h|d)?\s*$/.exec(text) ?? [];
  const factor = unitMs[unit];
  if (count === undefined || factor === undefined) throw new Error(`not a duration of PostgreSQL: ${text}`);
  return Math.round(Number(count) * factor);
}

/** Answer of the server to one of the two reads. */
export interface SessionReading {
  readonly limits: SessionLimits;
  /** Null in a transaction. */
  readonly isListener: boolean | null;
  /** Null in a transaction. It differs from an earlier one when a transaction that wrote has ended between them. */
  readonly snapshot: string | null;
}

/** Parse an answer. A setting that was reset has its default. */
export function readingOf(messages: readonly ServerMessage[], defaults: SessionLimits): SessionReading {
  const columns = messages.filter(({ type }) => type === 'D').flatMap(columnsOf);
  const read = (limit: Limit): number => durationMsOf(columns[limits.indexOf(limit)]) ?? defaults[limit];
  return {
    limits: {
      statementMs: read('statementMs'),
      lockMs: read('lockMs'),
      idleTransactionMs: read('idleTransactionMs'),
      idleSessionMs: read('idleSessionMs'),
    },
    isListener: columns[4] === undefined ? null : columns[4] === 't',
    snapshot: columns[5] ?? null,
  };
}
