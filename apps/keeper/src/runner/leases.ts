import type { Lease, LockStore } from '@core/store';
import { type Lock, lockNameOf, locks } from './task.ts';

/** How long a lock held elsewhere is left alone before it is asked for again. */
const retryDelayMs = 500;

/**
 * The locks this process holds. A task whose lock is held elsewhere simply does not run here: another keeper does it. A
 * lock lost with its connection is asked for again, with a new fencing token.
 */
export class Leases {
  readonly #locks: LockStore;
  readonly #held = new Map<string, Lease>();
  readonly #pending = new Map<string, Promise<Lease | null>>();
  readonly #refusedUntilMs = new Map<string, number>();
  #releaseCount = 0;

  constructor(locks: LockStore) {
    this.#locks = locks;
  }

  /** The lease, or null while another keeper holds it. */
  async hold(name: string): Promise<Lease | null> {
    const held = this.#held.get(name);
    if (held !== undefined && !held.signal.aborted) {
      return held;
    }
    this.#held.delete(name);
    if (performance.now() < (this.#refusedUntilMs.get(name) ?? 0)) {
      return null;
    }
    // Tasks that share a lock may ask at the same moment: one of them asks for all.
    const pending = this.#pending.get(name) ?? this.#acquire(name);
    this.#pending.set(name, pending);
    return pending;
  }

  async #acquire(name: string): Promise<Lease | null> {
    const releaseCount = this.#releaseCount;
    try {
      const [lease = null] = await this.#locks.tryAcquire([name]);
      if (lease !== null && releaseCount !== this.#releaseCount) {
        // Everything was given back meanwhile, and so is this.
        await lease.release();
        return null;
      }
      if (lease === null) {
        this.#refusedUntilMs.set(name, performance.now() + retryDelayMs);
      } else {
        this.#held.set(name, lease);
      }
      return lease;
    } finally {
      this.#pending.delete(name);
    }
  }

  /** Gives every lock back; work under way sees its lease end. */
  async release(): Promise<void> {
    this.#releaseCount += 1;
    const leases = [...this.#held.values()];
    this.#held.clear();
    await Promise.all(leases.map((lease) => lease.release()));
  }
}

/** Locks under which transactions are signed. */
const signing: ReadonlySet<Lock> = new Set([locks.registrations]);

/**
 * Holds the locks of the keeper with this address. One under which transactions are signed needs the lock of its key
 * besides: two processes with the same key would number their transactions each by itself.
 */
export function lockHolder(leases: Leases, address: string): (lock: Lock) => Promise<Lease | null> {
  return async (lock) => {
    const isAllowed = !signing.has(lock) || (await leases.hold(lockNameOf(locks.signer, address))) !== null;
    return isAllowed ? leases.hold(lockNameOf(lock, address)) : null;
  };
}
