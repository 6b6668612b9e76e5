/** A held lock. Writes made under it carry `fenceToken`: a holder that was replaced has a smaller one. */
export interface Lease {
  readonly name: string;
  readonly fenceToken: bigint;
  /** Aborted when the database connection that holds the lock is lost. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

export interface LockStore {
  /** The lock if it is free, else null; never waits. Held by one database connection until released. */
  tryAcquire(name: string): Promise<Lease | null>;
  /** The highest token ever given out for the name; 0n when none was. */
  fenceToken(name: string): Promise<bigint>;
}
