/** Counts and intervals of the keeper's orders for a position. The numbers are the policy's. */
export interface ExecutionConfig {
  /** Attempts of a killed opening, before its refund. */
  readonly maxOpenAttempts: number;
  /** Attempts of an opening with a part, before it opens with that; null until its window ends. */
  readonly maxPartialAttempts: number | null;
  readonly retryDelayMs: number;
  /** Time from one order of a liquidation to the next: what is left falls further meanwhile. */
  readonly liquidationRetryDelayMs: number;
  /** Longest interval between orders for a close that sells nothing. */
  readonly maxCloseRetryDelayMs: number;
  /** Longest interval between requests for an unwind that the price signers refuse. */
  readonly maxUnwindRetryDelayMs: number;
  /** A fill of this share of the notional counts as complete: sizes have two decimals. */
  readonly completeFillBps: bigint;
}
