import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseFault, databaseFaultOf, describeHolder, type LockHolder, type Store } from '@core/store';

/** Age at which the database is probed again: anyone may poll readiness. */
const probeAgeMs = 1_000;

/** Cause for which the database does not serve; `statement` where it refuses the probe itself. */
type ProbedFault = DatabaseFault | 'locked' | 'statement';

/**
 * Return a watch of locks with which other sessions keep statements from tables. One of a row does not count.
 * @param onLocked Called with the sessions when the first one shows.
 */
export function lockWatch(store: Pick<Store, 'lockHolders'>, onLocked: (holders: readonly string[]) => void) {
  let tableCount = 0;
  return {
    isLocked: () => tableCount > 0,
    tableCount: () => tableCount,
    /** @throws when the database does not answer: no lock is known then. */
    async refresh(): Promise<void> {
      let holders: readonly LockHolder[] = [];
      const wasLocked = tableCount > 0;
      try {
        holders = await store.lockHolders();
      } finally {
        tableCount = new Set(holders.map(({ table }) => table)).size;
      }
      if (tableCount > 0 && !wasLocked) onLocked(holders.map(describeHolder));
    },
  };
}

export type LockWatch = ReturnType<typeof lockWatch>;

/**
 * Return a probe of the database, whose result is null where it takes writes and no table is locked. Callers during a
 * probe share it, and its result is valid for a second. It writes the time on the service's clock that it is called
 * with.
 */
export function databaseProbe(
  store: Pick<Store, 'probeWrite'>,
  locks: Pick<LockWatch, 'isLocked'>,
): (nowMs: number) => Promise<ProbedFault | null> {
  let last: { readonly fault: Promise<ProbedFault | null>; endedAt: number } | null = null;
  return (nowMs) => {
    if (last !== null && performance.now() - last.endedAt < probeAgeMs) return last.fault;
    const probe = { fault: faultOf(() => store.probeWrite(nowMs), locks), endedAt: Number.POSITIVE_INFINITY };
    last = probe;
    const end = (): void => {
      probe.endedAt = performance.now();
    };
    probe.fault.then(end, end);
    return probe.fault;
  };
}

/** Write a row. It may be of the locked table itself: the locks are checked again meanwhile. */
async function faultOf(
  probeWrite: () => Promise<void>,
  locks: Pick<LockWatch, 'isLocked'>,
): Promise<ProbedFault | null> {
  const written = probeWrite().then(() => null, probedFaultOf);
  while (!locks.isLocked()) {
    const fault = await Promise.race([written, pause(probeAgeMs, 'pending' as const, { ref: false })]);
    if (fault !== 'pending') return fault;
  }
  return 'locked';
}

const probedFaultOf = (cause: unknown): ProbedFault => databaseFaultOf(cause) ?? 'statement';
