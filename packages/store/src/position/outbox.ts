/** An event to deliver, written in the transaction that made it true. */
export interface OutboxEntry {
  /** `evt_…`; writing the same id again changes nothing. */
  readonly id: string;
  /** `position.opened`, `market.updated`, `notification`, … */
  readonly type: string;
  readonly partnerId: string | null;
  readonly walletAddress: string | null;
  readonly positionId: string | null;
  readonly marketId: string | null;
  /** Domain values (bigints allowed): the position record as it was, or a notification's fields. */
  readonly payload: unknown;
  readonly createdAtMs: number;
}

export interface OutboxRecord extends OutboxEntry {
  /** Grows in commit order: a reader that saw n has seen everything below n. */
  readonly sequence: bigint;
}

export interface OutboxQuery {
  readonly after: bigint;
  readonly limit: number;
  readonly partnerId?: string;
  readonly walletAddress?: string;
}

export interface OutboxSubscription {
  close(): Promise<void>;
}

export interface OutboxStore {
  append(entries: readonly OutboxEntry[]): Promise<void>;
  readAfter(query: OutboxQuery): Promise<readonly OutboxRecord[]>;
  /** The sequence of an event id, null when it is unknown or was removed. */
  sequenceOf(id: string): Promise<bigint | null>;
  lastSequence(): Promise<bigint>;
  /** Calls `wake` after commits that appended, and after every reconnect; several commits may make one call. */
  subscribe(wake: () => void): Promise<OutboxSubscription>;
  removeOlderThan(createdBeforeMs: number): Promise<number>;
}
