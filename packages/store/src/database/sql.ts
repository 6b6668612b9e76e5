import { type ClientConfig, Pool, type QueryConfig, type QueryResult, types } from 'pg';
import { decodeDomainJson } from './domainJson.ts';

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
  /** How many rows the statement changed. */
  count(statement: Statement, values?: readonly unknown[]): Promise<number>;
}

/** What a statement returns in JavaScript: int8 and whole numerics as bigint, timestamptz as epoch milliseconds. */
const rowTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    switch (oid) {
      case types.builtins.INT8:
      case types.builtins.NUMERIC:
        return BigInt;
      case types.builtins.TIMESTAMPTZ:
        return instantOf;
      case types.builtins.JSONB:
        return decodeDomainJson;
      default:
        return types.getTypeParser(oid, format);
    }
  },
};

/** Sessions run in UTC, so the text always ends in `+00`. */
function instantOf(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

export interface PoolConfig {
  readonly databaseUrl: string;
  /** Connections of this process. */
  readonly maxConnections?: number;
}

const defaultMaxConnections = 10;
const connectTimeoutMs = 5_000;

/** Connection settings shared by the pool and by single long-lived connections (locks, LISTEN). */
export function clientConfigOf(databaseUrl: string): ClientConfig {
  return {
    connectionString: databaseUrl,
    options: '-c timezone=UTC -c datestyle=ISO',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: rowTypes,
  };
}

export function createPool(config: PoolConfig): Pool {
  const pool = new Pool({
    ...clientConfigOf(config.databaseUrl),
    max: config.maxConnections ?? defaultMaxConnections,
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that dies (database restarted) is dropped by the pool; the next query opens a new one and reports.
  pool.on('error', () => undefined);
  return pool;
}

/** Statements on any free connection of the pool, each its own transaction. */
export function sqlOfPool(pool: Pool): Sql {
  return sqlOf((config) => pool.query(config));
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

/** All of `work` or nothing of it, on one connection. A thrown error rolls back and is thrown on. */
export async function transact<Result>(pool: Pool, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
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
