import { Client } from 'pg';
import { clientConfigOf, type Sql, type Statement } from '../database/sql.ts';
import type { Lease, LockStore } from './locks.ts';

const raiseFence = `INSERT INTO lock_fences (name, fence_token) VALUES ($1, 1)
  ON CONFLICT (name) DO UPDATE SET fence_token = lock_fences.fence_token + 1 RETURNING fence_token AS "fenceToken"`;
const selectFence: Statement = {
  name: 'locks_fence',
  text: 'SELECT fence_token AS "fenceToken" FROM lock_fences WHERE name = $1',
};

/** A session that holds one lock, or none yet; the signal is aborted with it. */
interface Session {
  readonly client: Client;
  readonly lost: AbortController;
}

/**
 * Session advisory locks, each on a connection of its own: when the process dies, the lock goes with the connection.
 * Who waits for a lock asks again and again: one connection is kept for that, and becomes the holder's when it gets
 * the lock.
 */
export function createLocks(sql: Sql, databaseUrl: string): LockStore & { close(): Promise<void> } {
  const idle: Session[] = [];
  const isAlive = ({ lost }: Session): boolean => !lost.signal.aborted;
  return {
    async tryAcquire(name) {
      const session = idle.splice(0).find(isAlive) ?? (await openSession(databaseUrl));
      const lease = await acquire(session, name);
      if (lease !== null) return lease;
      if (idle.length === 0 && isAlive(session)) idle.push(session);
      else await session.client.end();
      return null;
    },
    async fenceToken(name) {
      const row = await sql.row<{ fenceToken: bigint }>(selectFence, [name]);
      return row?.fenceToken ?? 0n;
    },
    async close() {
      await Promise.all(idle.splice(0).map(({ client }) => client.end()));
    },
  };
}

async function openSession(databaseUrl: string): Promise<Session> {
  const client = new Client(clientConfigOf(databaseUrl));
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  await client.connect();
  return { client, lost };
}

/** Null while another session has the lock; this one then has none. */
async function acquire({ client, lost }: Session, name: string): Promise<Lease | null> {
  try {
    const locked = await client.query<{ isLocked: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isLocked"',
      [`lock:${name}`],
    );
    if (locked.rows[0]?.isLocked !== true) return null;
    const raised = await client.query<{ fenceToken: bigint }>(raiseFence, [name]);
    const fenceToken = raised.rows[0]?.fenceToken ?? 0n;
    return { name, fenceToken, signal: lost.signal, release: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}
