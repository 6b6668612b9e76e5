/** How often and how fast the keeper sends orders of a position. The numbers are the policy's. */
export interface ExecutionConfig {
  /** An opening that is killed is tried so often, then refunded. */
  readonly maxOpenAttempts: number;
  readonly retryDelayMs: number;
  /** Time from one order of a liquidation to the next: what is left falls further meanwhile. */
  readonly liquidationRetryDelayMs: number;
  /** Orders for a close that keep selling nothing come at least so often. */
  readonly maxCloseRetryDelayMs: number;
  /** An unwind that the price signers keep refusing is asked for at least so often. */
  readonly maxUnwindRetryDelayMs: number;
  /** A fill of this share of the notional counts as complete: sizes have two decimals. */
  readonly completeFillBps: bigint;
}
