import type { Hex } from '@core/position';

/**
 * States of an outside effect. `prepared` is written before anything leaves the process. `included` is in a block,
 * `final` is beyond reorganisation. An effect at the venue uses `broadcast` for "posted" and ends in `final` or
 * `dropped`.
 */
export type IntentState =
  | 'prepared'
  | 'signed'
  | 'broadcast'
  | 'included'
  | 'final'
  | 'reverted'
  | 'replaced'
  | 'dropped'
  | 'reorged';

export interface IntentRecord {
  /** `int_…` */
  readonly id: string;
  /** Position key, token id or signer. */
  readonly subject: string;
  readonly operation: string;
  readonly attempt: number;
  readonly state: IntentState;
  readonly signerAddress: Hex | null;
  readonly nonce: number | null;
  /** Everything needed to repeat the effect identically: call data, order and salt. Domain values. */
  readonly plan: unknown;
  readonly orderHash: string | null;
  readonly venueOrderId: string | null;
  /** The transaction that was included, or the last one broadcast. */
  readonly transactionHash: Hex | null;
  readonly blockNumber: bigint | null;
  readonly outcome: unknown;
  readonly fenceToken: bigint;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface NewIntent {
  readonly subject: string;
  readonly operation: string;
  readonly attempt: number;
  readonly plan: unknown;
  readonly orderHash?: string;
  /** The lock this is done under and its token: a holder that was replaced prepares nothing. */
  readonly lockName: string;
  readonly fenceToken: bigint;
  readonly nowMs: number;
}

/** An intent that has a nonce. */
export interface NonceOwner {
  readonly id: string;
  readonly operation: string;
  readonly nonce: number;
  readonly state: IntentState;
}

export interface SignedTransaction {
  readonly intentId: string;
  readonly hash: Hex;
  readonly rawTransaction: Hex;
  readonly maxFeePerGasWei: bigint;
  readonly maxPriorityFeeWei: bigint;
  readonly createdAtMs: number;
}

export interface IntentChange {
  readonly id: string;
  readonly from: readonly IntentState[];
  readonly to: IntentState;
  readonly nowMs: number;
  readonly transactionHash?: string;
  readonly blockNumber?: bigint;
  readonly venueOrderId?: string;
  readonly outcome?: unknown;
}
