import { setTimeout as pause } from 'node:timers/promises';
import { FriendlyError } from '@core/runtime';
import { databaseFaultOf, isDatabaseFault } from './databaseFault.ts';
import { describeHolder, holdersBefore, type LockHolder, lockedAfterMs } from './lockHolders.ts';
import { openSession } from './session.ts';

/** Bounds of a wait for locks, during which statements of the service wait too. */
export interface Patience {
  /** Longest wait for one lock. */
  readonly attemptMs: number;
  /** All attempts and the pauses between them. */
  readonly totalMs: number;
  readonly pause: (pauseMs: number) => Promise<unknown>;
}

export const migrationPatience: Patience = { attemptMs: lockedAfterMs / 2, totalMs: 60_000, pause };

/** Longest pause, in attempts. */
const maxPauseAttempts = 8;

/**
 * Return the pauses between attempts, each twice as long as the one before up to eight attempts. The first one is as
 * long as an attempt: statements get through for at least half of the time.
 */
export function pausesOf({ attemptMs, totalMs }: Pick<Patience, 'attemptMs' | 'totalMs'>): readonly number[] {
  const pauses: number[] = [];
  let endMs = attemptMs;
  for (let pauseMs = attemptMs; endMs + pauseMs + attemptMs <= totalMs; ) {
    pauses.push(pauseMs);
    endMs += pauseMs + attemptMs;
    pauseMs = Math.min(2 * pauseMs, maxPauseAttempts * attemptMs);
  }
  return pauses;
}

const advice = 'Nothing was changed: wait for its end or end it with pg_terminate_backend, then migrate again.';

/** Work of a session that leaves nothing when it fails. */
interface LockingWork<Result> {
  readonly name: string;
  readonly databaseUrl: string;
  /** Server's process of the session, which waits for a lock for `attemptMs` at most. */
  readonly pid: number;
  readonly attempt: () => Promise<Result>;
}

const isConflict = (error: unknown): boolean => databaseFaultOf(error) === 'conflict';

/**
 * Repeat work that did not get its locks in time, with pauses in which others go first.
 * @throws FriendlyError with the sessions that hold the locks after the last attempt, and any other failure.
 */
export async function giveWay<Result>(work: LockingWork<Result>, patience: Patience): Promise<Result> {
  for (const pauseMs of pausesOf(patience)) {
    try {
      return await work.attempt();
    } catch (error) {
      // The next attempt, or the last one, reports it.
      if (!isConflict(error)) throw error;
    }
    await patience.pause(pauseMs);
  }
  const watch = await watchHolders(work, patience.attemptMs / 4);
  try {
    return await work.attempt();
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    const holders =
      (await watch.holders()).map(describeHolder).join(', ') || 'blocked by a session that has just ended';
    throw new FriendlyError(`${work.name} waited in vain for ${patience.totalMs / 1_000} s: ${holders}. ${advice}`, {
      cause,
    });
  } finally {
    await watch.end();
  }
}

/** Observe on a connection of its own for which sessions another one waits, as long as it does. */
async function watchHolders({ databaseUrl, pid }: LockingWork<unknown>, intervalMs: number) {
  const observer = await openSession({ databaseUrl });
  const ended = new AbortController();
  let last: readonly LockHolder[] = [];
  const observe = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const holders = await holdersBefore(observer, pid);
      if (holders.length > 0) last = holders;
      await pause(intervalMs);
    }
  };
  // It only names a reason: without it the attempt continues.
  const observing = observe().catch((cause: unknown) => {
    if (!isDatabaseFault(cause)) throw cause;
  });
  return {
    /** The last ones that were seen. */
    holders: async (): Promise<readonly LockHolder[]> => {
      ended.abort();
      await observing;
      return last;
    },
    end: async (): Promise<void> => {
      ended.abort();
      await observing;
      await observer.end();
    },
  };
}
