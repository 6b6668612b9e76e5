/** A held lock. Writes made under it carry `fenceToken`: a holder that was replaced has a smaller one. */
export interface Lease {
  readonly name: string;
  readonly fenceToken: bigint;
  /** Aborted when the lease is released, or lost with the database connection that holds the lock. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

export interface LockStore {
  /**
   * Those of the locks that are free, each held until it is released; never waits. What this store holds already is not
   * free.
   */
  tryAcquire(names: readonly string[]): Promise<readonly Lease[]>;
  /** The highest token ever given out for the name; 0n when none was. */
  fenceToken(name: string): Promise<bigint>;
}
