import type { Lease, LockStore } from '@core/store';
import { type Lock, lockNameOf, locks } from './task.ts';

/** Pause before a lock that another process holds is requested again. */
const retryDelayMs = 500;

/**
 * Locks of this process. A task whose lock another keeper holds does not run here. A lock lost with its connection is
 * acquired again, with a new fencing token.
 */
export class Leases {
  readonly #locks: LockStore;
  readonly #leases = new Map<string, Lease>();
  readonly #pending = new Map<string, Promise<Lease | null>>();
  readonly #refusedUntilMs = new Map<string, number>();
  #releaseCount = 0;

  constructor(locks: LockStore) {
    this.#locks = locks;
  }

  /** Return the lease, or null while another keeper holds it. */
  async acquire(name: string): Promise<Lease | null> {
    const lease = this.#leases.get(name);
    if (lease !== undefined && !lease.signal.aborted) {
      return lease;
    }
    this.#leases.delete(name);
    if (performance.now() < (this.#refusedUntilMs.get(name) ?? 0)) {
      return null;
    }
    // Tasks that share a lock may request it concurrently: one request serves all.
    const pending = this.#pending.get(name) ?? this.#acquire(name);
    this.#pending.set(name, pending);
    return pending;
  }

  async #acquire(name: string): Promise<Lease | null> {
    const releaseCount = this.#releaseCount;
    try {
      const [lease = null] = await this.#locks.tryAcquire([name]);
      if (lease !== null && releaseCount !== this.#releaseCount) {
        // Every lock was released during the request, and so is this one.
        await lease.release();
        return null;
      }
      if (lease === null) {
        this.#refusedUntilMs.set(name, performance.now() + retryDelayMs);
      } else {
        this.#leases.set(name, lease);
      }
      return lease;
    } finally {
      this.#pending.delete(name);
    }
  }

  /** Release every lock; running work observes the end of its lease. */
  async release(): Promise<void> {
    this.#releaseCount += 1;
    const leases = [...this.#leases.values()];
    this.#leases.clear();
    await Promise.all(leases.map((lease) => lease.release()));
  }
}

/** Locks under which transactions are signed. */
const signing: ReadonlySet<Lock> = new Set([locks.registrations]);

/**
 * Return a function that acquires the locks of the keeper with this address. A lock for signing also needs the lock of
 * the key: two processes with one key would number their transactions independently.
 */
export function lockHolder(leases: Leases, address: string): (lock: Lock) => Promise<Lease | null> {
  return async (lock) => {
    const isAllowed = !signing.has(lock) || (await leases.acquire(lockNameOf(locks.signer, address))) !== null;
    return isAllowed ? leases.acquire(lockNameOf(lock, address)) : null;
  };
}
