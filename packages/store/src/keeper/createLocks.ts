import { Client, type QueryResultRow } from 'pg';
import { clientConfigOf, type Sql, type Statement } from '../database/sql.ts';
import type { Lease, LockStore } from './locks.ts';

/** Takes those that are free and gives each a token above all before it, in one statement. */
const acquire = `
  WITH locked AS MATERIALIZED (
    SELECT name FROM unnest($1::text[]) AS name WHERE pg_try_advisory_lock(hashtextextended('lock:' || name, 0))
  )
  INSERT INTO lock_fences (name, fence_token) SELECT name, 1 FROM locked
  ON CONFLICT (name) DO UPDATE SET fence_token = lock_fences.fence_token + 1
  RETURNING name, fence_token AS "fenceToken"`;
const unlock = `SELECT pg_advisory_unlock(hashtextextended('lock:' || $1, 0))`;
const selectFence: Statement = {
  name: 'locks_fence',
  text: 'SELECT fence_token AS "fenceToken" FROM lock_fences WHERE name = $1',
};

/** A connection and the locks that it holds or is asking for, each with what ends its lease. */
interface Session {
  readonly leases: Map<string, AbortController>;
  /** One statement after the other, in the order in which they are asked for. */
  readonly query: <Row extends QueryResultRow>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;
  readonly end: () => Promise<void>;
}

/**
 * Session advisory locks, all of a process on one connection: when the process dies, they go with the connection, and
 * when the connection is lost, every lease ends. PostgreSQL lets one session take a lock twice, so what this process
 * has or asks for is never asked for again.
 */
export function createLocks(sql: Sql, databaseUrl: string): LockStore & { close(): Promise<void> } {
  let opening: Promise<Session> | null = null;

  const session = (): Promise<Session> => {
    opening ??= openSession(databaseUrl, () => {
      opening = null;
    }).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };

  return {
    async tryAcquire(names) {
      const open = await session();
      const wanted = names.filter((name) => !open.leases.has(name));
      if (wanted.length === 0) return [];
      for (const name of wanted) open.leases.set(name, new AbortController());
      try {
        const rows = await open.query<{ name: string; fenceToken: bigint }>(acquire, [wanted]);
        const taken = new Map(rows.map(({ name, fenceToken }) => [name, fenceToken]));
        for (const name of wanted) if (!taken.has(name)) open.leases.delete(name);
        return [...taken].flatMap(([name, fenceToken]) => leaseOf(open, name, fenceToken));
      } catch (error) {
        // Which of them were taken is not known: they go with the connection.
        void open.end();
        throw error;
      }
    },
    async fenceToken(name) {
      const row = await sql.row<{ fenceToken: bigint }>(selectFence, [name]);
      return row?.fenceToken ?? 0n;
    },
    async close() {
      await opening?.then(({ end }) => end()).catch(() => undefined);
    },
  };
}

/** @param onEnd Called once, when the connection is gone or given up. */
async function openSession(databaseUrl: string, onEnd: () => void): Promise<Session> {
  const client = new Client(clientConfigOf(databaseUrl));
  const leases = new Map<string, AbortController>();
  let ended: Promise<void> | null = null;
  const end = (): Promise<void> => {
    if (ended !== null) return ended;
    // Its locks count as lost from here on: a server that does not answer may not hear of the end for long.
    onEnd();
    for (const lease of leases.values()) lease.abort();
    leases.clear();
    ended = client.end().catch(() => undefined);
    return ended;
  };
  client.on('error', () => void end());
  client.on('end', () => void end());
  await client.connect();
  let last: Promise<unknown> = Promise.resolve();
  const query: Session['query'] = async (text, values) => {
    const asked = last.then(() => client.query(text, [...values]));
    last = asked.catch(() => undefined);
    return (await asked).rows;
  };
  return { leases, query, end };
}

/** None when the connection was lost meanwhile. */
function leaseOf({ leases, query, end }: Session, name: string, fenceToken: bigint): readonly Lease[] {
  const ended = leases.get(name);
  if (ended === undefined) return [];
  const release = async (): Promise<void> => {
    if (ended.signal.aborted) return;
    ended.abort();
    // Asked for again, it is asked for behind this on the same connection.
    leases.delete(name);
    // A connection that fails here is gone, and the lock with it.
    await query(unlock, [name]).catch(() => end());
  };
  return [{ name, fenceToken, signal: ended.signal, release }];
}
