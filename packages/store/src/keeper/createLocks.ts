import { isOverlapping, type MarketShare, marketShareName } from '@core/runtime';
import type { QueryResultRow } from 'pg';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Lease } from './locks.ts';
import { type LockSession, openLockSession } from './openLockSession.ts';

/** Takes those that are free and gives each a token above all before it, in one statement. */
const acquire = `
  WITH locked AS MATERIALIZED (
    SELECT name FROM unnest($1::text[]) AS name WHERE pg_try_advisory_lock(hashtextextended('lock:' || name, 0))
  )
  INSERT INTO lock_fences (name, fence_token) SELECT name, 1 FROM locked
  ON CONFLICT (name) DO UPDATE SET fence_token = lock_fences.fence_token + 1
  RETURNING name, fence_token AS "fenceToken"`;
const unlock = `SELECT pg_advisory_unlock(hashtextextended('lock:' || name, 0)) FROM unnest($1::text[]) AS name`;
/** The same for shares of the markets, each against all that overlap it. */
const acquireShares = 'SELECT lock_name AS name, token AS "fenceToken" FROM acquire_market_shares($1)';
const unlockShares = 'SELECT unlock_market_share(name) FROM unnest($1::text[]) AS name';

interface Acquired extends QueryResultRow {
  readonly name: string;
  readonly fenceToken: bigint;
}

/** Locks to ask for in one statement, by name, and the statement that unlocks them. */
interface LockRequest {
  readonly shares: ReadonlyMap<string, MarketShare | null>;
  readonly acquire: string;
  readonly unlock: string;
}

/** Return the lock of a share: every effect for positions of its markets runs under it, so that it happens once. */
export const shareLockOf = (share: MarketShare): string => `keeper:effects:${marketShareName(share)}`;

/**
 * Session advisory locks, all of a process on one connection: when the process dies, they go with the connection, and
 * when the connection is lost or falls silent, every lease ends. PostgreSQL lets one session take a lock twice, so what
 * this process has or asks for is never asked for again.
 */
export function createLocks(prisma: PrismaClient, databaseUrl: string) {
  let opening: Promise<LockSession> | null = null;

  const session = (): Promise<LockSession> => {
    opening ??= openLockSession(databaseUrl, () => {
      opening = null;
    }).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };

  return {
    /** Acquire those of the locks that are free; never waits. A lock that this store has acquired is not free. */
    async tryAcquire(names: readonly string[]): Promise<readonly Lease[]> {
      const open = await session();
      const shares = new Map(names.filter((name) => !open.leases.has(name)).map((name) => [name, null]));
      return request(open, { shares, acquire, unlock });
    },
    /**
     * Acquire those shares of the markets that are free, in one statement; never waits. A share is free while no store,
     * this one included, has one that overlaps it.
     * @param shares Of one count.
     * @returns Leases named as by `shareLockOf`.
     */
    async tryAcquireShares(shares: readonly MarketShare[]): Promise<readonly Lease[]> {
      const open = await session();
      const ownShares = [...open.leases.values()].flatMap(({ share }) => (share === null ? [] : [share]));
      const free = shares.filter((share) => !ownShares.some((own) => isOverlapping(own, share)));
      const byName = new Map(free.map((share) => [shareLockOf(share), share]));
      return request(open, { shares: byName, acquire: acquireShares, unlock: unlockShares });
    },
    /** The highest token ever given out for the name; 0n when none was. */
    async fenceToken(name: string): Promise<bigint> {
      const row = await prisma.lockFence.findUnique({ where: { name } });
      return row?.fenceToken ?? 0n;
    },
    async close() {
      await opening?.then(({ end }) => end()).catch(() => undefined);
    },
  };
}

async function request(open: LockSession, { shares, acquire, unlock }: LockRequest): Promise<readonly Lease[]> {
  if (shares.size === 0) return [];
  for (const [name, share] of shares) open.leases.set(name, { share, ended: new AbortController() });
  try {
    const rows = await open.query<Acquired>(acquire, () => [[...shares.keys()]]);
    const acquired = new Map(rows.map(({ name, fenceToken }) => [name, fenceToken]));
    for (const name of shares.keys()) if (!acquired.has(name)) open.leases.delete(name);
    return [...acquired].flatMap(([name, fenceToken]) => leaseOf(open, { name, fenceToken }, unlock));
  } catch (error) {
    // Which of them were acquired is not known: they go with the connection.
    void open.end();
    throw error;
  }
}

/** None when the connection was lost meanwhile. */
function leaseOf(open: LockSession, { name, fenceToken }: Acquired, unlock: string): readonly Lease[] {
  const ended = open.leases.get(name)?.ended;
  if (ended === undefined) return [];
  const release = async (): Promise<void> => {
    if (ended.signal.aborted) return;
    ended.abort();
    // Asked for again, it is asked for behind this on the same connection.
    open.leases.delete(name);
    // A connection that fails here is gone, and the lock with it.
    await open.unlock(unlock, name).catch(() => open.end());
  };
  return [{ name, fenceToken, signal: ended.signal, release }];
}

export type LockStore = Omit<ReturnType<typeof createLocks>, 'close'>;
