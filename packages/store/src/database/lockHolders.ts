import type { Client } from 'pg';
import type { Sql, Statement } from './sql.ts';

/** Session that keeps others waiting for a lock. */
export interface LockHolder {
  /** Null for a lock that belongs to no table. */
  readonly table: string | null;
  /** Zero for a prepared transaction. */
  readonly pid: number;
  readonly application: string | null;
  /** Start of its transaction; null when the server does not show it to this user. */
  readonly sinceMs: number | null;
  /** Beginning of its last statement; null for a prepared transaction. */
  readonly query: string | null;
}

/**
 * Wait after which a table counts as locked. A migration gives way earlier, so that one which waits for its own lock
 * does not count.
 */
export const lockedAfterMs = 2_000;

const columns = `holder."table", holder.pid, session.application_name AS application, session.xact_start AS "sinceMs",
  left(regexp_replace(session.query, '\\s+', ' ', 'g'), 60) AS query`;

const sessionHolders = `SELECT DISTINCT ${columns} FROM (
    SELECT lock.relation::regclass::text AS "table", unnest(pg_blocking_pids(lock.pid)) AS pid
    FROM pg_locks AS lock WHERE lock.pid = $1 AND NOT lock.granted
  ) AS holder LEFT JOIN pg_stat_activity AS session USING (pid) ORDER BY holder.pid`;

/**
 * Sessions behind tables of the service that some statement cannot use: those that another one has waited for, without
 * those that wait themselves, and those whose lock refuses every write. Locks of rows have other types. A vacuum that
 * runs by itself gives way. A vacuum or a concurrent index that waits for another one keeps no statement
 * waiting, and the service has no materialized views.
 */
const tableHolders: Statement = {
  name: 'lock_holders',
  text: `WITH lock AS MATERIALIZED (
      SELECT lock.pid, lock.granted, lock.mode, lock.waitstart, class.relname::text AS "table"
      FROM pg_locks AS lock JOIN pg_class AS class ON class.oid = lock.relation
      WHERE lock.locktype = 'relation' AND class.relnamespace = current_schema()::regnamespace AND class.relkind <> 'm'
        AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ), waiting AS (
      SELECT pid, "table", mode FROM lock WHERE NOT granted
        AND waitstart <= clock_timestamp() - ${lockedAfterMs} * interval '1 ms'
    ), holder AS (
      SELECT "table", unnest(pg_blocking_pids(pid)) AS pid FROM waiting WHERE mode <> 'ShareUpdateExclusiveLock'
      UNION
      SELECT lock."table", lock.pid FROM lock JOIN pg_stat_activity AS session USING (pid)
      WHERE lock.granted AND lock.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
        AND session.xact_start <= clock_timestamp() - ${lockedAfterMs} * interval '1 ms'
        AND session.backend_type <> 'autovacuum worker'
    )
    SELECT ${columns} FROM holder LEFT JOIN pg_stat_activity AS session USING (pid)
    WHERE holder.pid NOT IN (SELECT pid FROM waiting) ORDER BY holder.pid, holder."table"`,
};

/** Return the sessions that a session waits for now; empty while it waits for none. */
export async function holdersBefore(client: Client, pid: number): Promise<readonly LockHolder[]> {
  return (await client.query<LockHolder>(sessionHolders, [pid])).rows;
}

/** Return the sessions that keep statements from a table of the service, one for each table. Waits for no table. */
export const holdersOfTables = (sql: Sql): Promise<readonly LockHolder[]> => sql.rows<LockHolder>(tableHolders);

/** Return a holder as a clause: table, session, application, start and statement, as far as the server shows them. */
export function describeHolder({ table, pid, application, sinceMs, query }: LockHolder): string {
  const session = pid === 0 ? 'a prepared transaction' : `session ${pid}`;
  const named = application === null || application === '' ? session : `${session} of ${application}`;
  const since = sinceMs === null ? '' : ` since ${new Date(sinceMs).toISOString()}`;
  const statement = query === null || query === '' ? '' : ` (${query})`;
  return `${table === null ? 'blocked' : `${table} is locked`} by ${named}${since}${statement}`;
}
