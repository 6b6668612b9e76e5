import { setTimeout as pause } from 'node:timers/promises';
import { callbackify } from 'node:util';
import { type ClientBase, Pool, type QueryConfig, type QueryResult } from 'pg';
import { clientConfigOf, prepareSession, type SessionSettings } from './session.ts';

/** A statement prepared once per connection under its name. Names are unique in the package. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs statements on a pool, or inside one transaction on one connection: aggregates do not know which. */
export interface Sql {
  rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** The first row, or null. */
  row<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row | null>;
  /** Return the number of rows that the statement changed. */
  count(statement: Statement, values?: readonly unknown[]): Promise<number>;
}

export interface PoolConfig {
  readonly databaseUrl: string;
  /** Connections of this process. */
  readonly maxConnections?: number;
  /** True when readers of the outbox are woken by another channel than the database's own. */
  readonly wakesElsewhere?: boolean;
}

const defaultMaxConnections = 10;
/** A statement that takes longer is of no use to anyone any more; a transaction left open blocks others. */
const statementTimeoutMs = 10_000;
const idleTransactionTimeoutMs = 15_000;
/** A server that has not even said that its time was up is away, or the way to it is. */
const answerTimeoutMs = statementTimeoutMs + 2_000;

/** Settings of a pooled session. */
export function poolSettingsOf(wakesElsewhere: boolean): SessionSettings {
  return {
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(idleTransactionTimeoutMs),
    ...(wakesElsewhere && { 'outbox.wake': 'elsewhere' }),
  };
}

export function createPool(config: PoolConfig): Pool {
  const settings = poolSettingsOf(config.wakesElsewhere ?? false);
  const pool = new Pool({
    ...clientConfigOf(config.databaseUrl),
    query_timeout: answerTimeoutMs,
    // Called once for each connection, before its first statement.
    verify: callbackify((client: ClientBase) => prepareSession(client, settings)),
    max: config.maxConnections ?? defaultMaxConnections,
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that dies (database restarted) is dropped by the pool; the next query opens a new one.
  pool.on('error', () => undefined);
  // One that dies while a transaction holds it fails that transaction's next statement, and must not end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** `serialization_failure` and `deadlock_detected`: the database undid all of it, and it may simply be done again. */
const undoneCodes: ReadonlySet<unknown> = new Set(['40001', '40P01']);
/** Writers that meet again and again have met by then in every order. */
const maxAttempts = 5;
const pauseMs = 10;

/** Repeat what the database undid because of other writers. Any other failure, and the last of these, is thrown. */
async function repeatUndone<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isUndone = error instanceof Error && 'code' in error && undoneCodes.has(error.code);
      if (!isUndone || attempt === maxAttempts) throw error;
      await pause(pauseMs * attempt);
    }
  }
}

/** Statements on any free connection of the pool, each its own transaction. */
export function sqlOfPool(pool: Pool): Sql {
  return sqlOf((config) => repeatUndone(() => pool.query(config)));
}

function sqlOf(query: (config: QueryConfig) => Promise<QueryResult>): Sql {
  const run = (statement: Statement, values: readonly unknown[]): Promise<QueryResult> =>
    query({ name: statement.name, text: statement.text, values: [...values] });
  return {
    async rows<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
      return (await run(statement, values)).rows;
    },
    async row<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row | null> {
      const rows: Row[] = (await run(statement, values)).rows;
      return rows[0] ?? null;
    },
    async count(statement, values = []) {
      return (await run(statement, values)).rowCount ?? 0;
    },
  };
}

/**
 * All of `work` or nothing of it, on one connection. A thrown error rolls back and is thrown on; a transaction that the
 * database undid for others is run again from its start, so `work` changes nothing but the database.
 */
export function transact<Result>(pool: Pool, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  return repeatUndone(() => transactOnce(pool, work, 'BEGIN'));
}

/** Run reads that all see the database at one moment. */
export function readAtOnce<Result>(pool: Pool, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  return repeatUndone(() => transactOnce(pool, work, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'));
}

async function transactOnce<Result>(pool: Pool, work: (sql: Sql) => Promise<Result>, begin: string): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(sqlOf((config) => client.query(config)));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error('transaction failed', { cause: error });
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    // A connection whose transaction failed may be in any state: give it up rather than reuse it.
    client.release(failure);
  }
}

const savepoint: Statement = { name: 'savepoint', text: 'SAVEPOINT part' };
const releaseSavepoint: Statement = { name: 'savepoint_release', text: 'RELEASE SAVEPOINT part' };
const rollBackToSavepoint: Statement = { name: 'savepoint_roll_back', text: 'ROLLBACK TO SAVEPOINT part' };

/** Run a part of a transaction that is undone alone when it fails; its failure is thrown. */
export async function attempt<Result>(sql: Sql, part: () => Promise<Result>): Promise<Result> {
  await sql.count(savepoint);
  try {
    const result = await part();
    await sql.count(releaseSavepoint);
    return result;
  } catch (error) {
    // Where the connection is gone there is nothing to undo: the failure says so.
    await sql.count(rollBackToSavepoint).catch(() => undefined);
    throw error;
  }
}

const setLockTimeout: Statement = { name: 'lock_timeout', text: "SELECT set_config('lock_timeout', $1, true)" };

/** Let each later statement of a transaction wait for locks for at most so long. */
export async function limitLockWaits(sql: Sql, limitMs: number): Promise<void> {
  await sql.row(setLockTimeout, [String(limitMs)]);
}

/** The same, with a call after every run of one statement that changed rows. */
export function noticing(sql: Sql, { name }: Statement, notice: () => void): Sql {
  return {
    ...sql,
    async rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
      const rows = await sql.rows<Row>(statement, values);
      if (statement.name === name && rows.length > 0) notice();
      return rows;
    },
  };
}
