/** A held lock. Writes made under it carry `fenceToken`: a holder that was replaced has a smaller one. */
export interface Lease {
  readonly name: string;
  readonly fenceToken: bigint;
  /** Aborted when the lease is released, or lost with the database connection that holds the lock. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}
