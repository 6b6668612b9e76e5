import { Client } from 'pg';
import { clientConfigOf, type Sql, type Statement } from '../database/sql.ts';
import type { Lease, LockStore } from './locks.ts';

const raiseFence = `INSERT INTO lock_fences (name, fence_token) VALUES ($1, 1)
  ON CONFLICT (name) DO UPDATE SET fence_token = lock_fences.fence_token + 1 RETURNING fence_token AS "fenceToken"`;
const selectFence: Statement = {
  name: 'locks_fence',
  text: 'SELECT fence_token AS "fenceToken" FROM lock_fences WHERE name = $1',
};

/** Session advisory locks, each on a connection of its own: when the process dies, the lock goes with the connection. */
export function createLocks(sql: Sql, databaseUrl: string): LockStore {
  return {
    tryAcquire: (name) => tryAcquire(databaseUrl, name),
    async fenceToken(name) {
      const row = await sql.row<{ fenceToken: bigint }>(selectFence, [name]);
      return row?.fenceToken ?? 0n;
    },
  };
}

async function tryAcquire(databaseUrl: string, name: string): Promise<Lease | null> {
  const client = new Client(clientConfigOf(databaseUrl));
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  await client.connect();
  try {
    const locked = await client.query<{ isLocked: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isLocked"',
      [`lock:${name}`],
    );
    if (locked.rows[0]?.isLocked !== true) {
      await client.end();
      return null;
    }
    const raised = await client.query<{ fenceToken: bigint }>(raiseFence, [name]);
    const fenceToken = raised.rows[0]?.fenceToken ?? 0n;
    return { name, fenceToken, signal: lost.signal, release: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}
