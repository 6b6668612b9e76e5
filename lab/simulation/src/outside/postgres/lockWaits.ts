import type { QueryResult } from 'pg';

/** A process of the server that waits for a lock. */
export interface LockWait {
  readonly pid: number;
  readonly blockers: readonly number[];
  /** Names the wait: a later one of the same statement has another. */
  readonly id: string;
}

/** Runs a statement on a session of its own. */
export type Query = (text: string, values: readonly unknown[]) => Promise<QueryResult>;

const text = `SELECT pid, pg_catalog.pg_blocking_pids(pid) AS blockers,
    concat_ws(' ', waitstart, locktype, relation, page, tuple, transactionid, classid, objid, objsubid) AS id
  FROM pg_catalog.pg_locks WHERE NOT granted AND waitstart IS NOT NULL AND pid = ANY($1)`;

/** Read which processes wait for locks, and for which others. */
export async function observeLockWaits(query: Query, pids: readonly number[]): Promise<ReadonlyMap<number, LockWait>> {
  const { rows }: { readonly rows: readonly LockWait[] } = await query(text, [pids]);
  return new Map(rows.map((row) => [row.pid, row]));
}

/**
 * Decide whether a process waits until a session at rest continues. One that waits for a process of the server's own,
 * or in a circle that the server is about to break, continues without it.
 */
export function isBlocked(pid: number, waits: ReadonlyMap<number, LockWait>, resting: ReadonlySet<number>): boolean {
  const reached = new Set<number>();
  const pending = [...(waits.get(pid)?.blockers ?? [])];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    pending.push(...(waits.get(next)?.blockers ?? []));
  }
  return !reached.has(pid) && [...reached].some((other) => resting.has(other));
}
