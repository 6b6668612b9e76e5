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
  readonly signerAddress: string | null;
  readonly nonce: number | null;
  /** Everything needed to repeat the effect identically: call data, order and salt. Domain values. */
  readonly plan: unknown;
  readonly orderHash: string | null;
  readonly venueOrderId: string | null;
  /** The transaction that was included, or the last one broadcast. */
  readonly transactionHash: string | null;
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

export interface SignedTransaction {
  readonly intentId: string;
  readonly hash: string;
  readonly rawTransaction: string;
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

export interface IntentStore {
  /**
   * Writes the intent, or returns the one that has this (subject, operation, attempt) already. Throws `StaleLeaseError`
   * when the lock has a newer holder.
   */
  prepare(intent: NewIntent): Promise<{ readonly intent: IntentRecord; readonly created: boolean }>;
  byId(id: string): Promise<IntentRecord | null>;
  /** All attempts on a subject, of these operations when some are named, oldest first: ever more of them. */
  ofSubject(subject: string, operations?: readonly string[]): Promise<readonly IntentRecord[]>;
  /**
   * Of each operation named the newest attempts on a subject, as many as `kept` says, and all that are under way;
   * oldest first. Costs what it returns, however many there were before.
   */
  recent(subject: string, kept: Readonly<Record<string, number>>): Promise<readonly IntentRecord[]>;
  /** All attempts of an operation on several subjects, oldest first. */
  ofSubjects(subjects: readonly string[], operation: string): Promise<readonly IntentRecord[]>;
  inStates(states: readonly IntentState[]): Promise<readonly IntentRecord[]>;
  /** Moves the state when it is still one of `from`; false when it is not. */
  change(change: IntentChange): Promise<boolean>;
  /**
   * Gives the intent the signer's next nonce and returns it; an intent that has one of this signer keeps it.
   * @throws StaleLeaseError when another signer gave it one: only that one's key can use it.
   */
  assignNonce(assignment: {
    readonly id: string;
    readonly signerAddress: string;
    readonly nowMs: number;
  }): Promise<number>;
  /**
   * Gives the intent exactly this nonce, for filling a gap; the signer's next nonce moves on when it was at or below
   * it.
   */
  pinNonce(pin: {
    readonly id: string;
    readonly signerAddress: string;
    readonly nonce: number;
    readonly nowMs: number;
  }): Promise<void>;
  /**
   * Drops a prepared intent for which a signer took a nonce and signed nothing, and takes the nonce from it, so that it
   * is a gap of that signer's. False when a transaction was signed with it, or when it is no longer prepared.
   */
  dropUnsigned(change: { readonly id: string; readonly nowMs: number; readonly outcome: unknown }): Promise<boolean>;
  /**
   * Stores a signed transaction before it is sent; the intent becomes `signed`. @throws StaleLeaseError when the intent
   * was dropped: another keeper does what it was for.
   */
  addTransaction(transaction: SignedTransaction): Promise<void>;
  /** Every transaction signed for the intent, oldest first: replacements share the nonce. */
  transactions(intentId: string): Promise<readonly SignedTransaction[]>;
  /** A node was given the transaction; its intent becomes `broadcast` unless it has come further. */
  markBroadcast(sent: { readonly id: string; readonly hash: string; readonly nowMs: number }): Promise<void>;
  /** Raises the signer's next nonce to at least this; never lowers it. */
  raiseNonce(signerAddress: string, nonce: number): Promise<number>;
  byNonce(signerAddress: string, nonce: number): Promise<IntentRecord | null>;
  /**
   * Deletes intents that ended, with their transactions, of positions that closed, both before that instant; at most
   * `limit`. Returns how many. Kept are those whose operation a later fold of the position still reads.
   */
  removeEnded(beforeMs: number, limit: number): Promise<number>;
}
