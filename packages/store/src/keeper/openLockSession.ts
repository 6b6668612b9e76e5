import type { MarketShare } from '@core/runtime';
import type { QueryResultRow } from 'pg';
import { openSession } from '../database/session.ts';

/**
 * A ping every second, answered within five, or the connection counts as lost here; two seconds after that the server
 * ends a session from which it has read nothing. So a connection that leads nowhere keeps no lock, and none has two
 * holders. A process that stands still for longer than its session loses its locks as well.
 */
const pingIntervalMs = 1_000;
const answerTimeoutMs = 5_000;
const idleSessionTimeoutMs = 8_000;
const ping = 'SELECT 1';

/** A lock that is held or requested. */
interface SessionLock {
  /** Null for a lock that is no share of the markets. */
  readonly share: MarketShare | null;
  /** Ends its lease. */
  readonly ended: AbortController;
}

/** A connection and the locks that it holds or is asking for. */
export interface LockSession {
  readonly leases: Map<string, SessionLock>;
  /** Run one statement after the other, in the order of the calls; values are read when it is sent. */
  readonly query: <Row extends QueryResultRow>(
    text: string,
    values: () => readonly unknown[],
  ) => Promise<readonly Row[]>;
  /** Unlock a name by a statement on names; names that wait for the same statement share it. */
  readonly unlock: (text: string, name: string) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** @param onEnd Called once, when the connection is gone or given up. */
export async function openLockSession(databaseUrl: string, onEnd: () => void): Promise<LockSession> {
  const settings = { idle_session_timeout: String(idleSessionTimeoutMs) };
  const client = await openSession({ databaseUrl, settings, query_timeout: answerTimeoutMs });
  const leases = new Map<string, SessionLock>();
  let ended: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const end = (): Promise<void> => {
    if (ended !== null) return ended;
    // Its locks count as lost from here on: a silent server may notice the end late.
    onEnd();
    for (const lease of leases.values()) lease.ended.abort();
    leases.clear();
    clearInterval(timer);
    ended = client.end().catch(() => undefined);
    return ended;
  };
  client.on('error', () => void end());
  client.on('end', () => void end());
  let last: Promise<unknown> = Promise.resolve();
  const query: LockSession['query'] = async (text, values) => {
    const answer = last.then(() => client.query(text, [...values()]));
    last = answer.catch(() => undefined);
    return (await answer).rows;
  };
  timer = setInterval(() => void query(ping, () => []).catch(() => end()), pingIntervalMs);
  timer.unref();
  return { leases, query, unlock: unlockerOf(query), end };
}

function unlockerOf(query: LockSession['query']): LockSession['unlock'] {
  const waiting = new Map<string, { readonly names: string[]; readonly answer: Promise<unknown> }>();
  return async (text, name) => {
    const joined = waiting.get(text);
    if (joined !== undefined) {
      joined.names.push(name);
      await joined.answer;
      return;
    }
    const names = [name];
    const answer = query(text, () => {
      waiting.delete(text);
      return [names];
    });
    waiting.set(text, { names, answer });
    await answer;
  };
}
