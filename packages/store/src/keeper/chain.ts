export interface ChainCursor {
  readonly chainKey: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  /** Highest block that cannot be reorganised. */
  readonly finalizedNumber: bigint;
  readonly blockTimeMs: number;
}

export interface ChainBlock {
  readonly chainKey: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly parentHash: string;
  readonly blockTimeMs: number;
}

export interface ChainEventRecord {
  readonly chainKey: string;
  readonly blockNumber: bigint;
  readonly logIndex: number;
  readonly transactionHash: string;
  readonly transactionIndex: number;
  readonly contractAddress: string;
  readonly name: string;
  /** Position key, null for events of no position. */
  readonly subject: string | null;
  /** Decoded arguments, domain values. */
  readonly arguments: unknown;
  readonly blockTimeMs: number;
}

/** What the index knows of the vault's and the pool's own counts, all of it at one block. */
export interface IndexedCounts extends Pick<ChainCursor, 'blockNumber' | 'blockHash'> {
  readonly outcomeCount: number;
  /** Positions whose account has come into being. */
  readonly accountCount: number;
  /** What all positions together have borrowed and not repaid. */
  readonly owedUsdcUnits: bigint;
}

export type EventPlace = Pick<ChainEventRecord, 'blockNumber' | 'logIndex' | 'name'>;

export interface ChainStore {
  /** `chainKey` names one vault on one chain, for example `31337:0x…`. */
  cursor(chainKey: string): Promise<ChainCursor | null>;
  /** The same, held where it is until the transaction ends: no range is indexed meanwhile. */
  lockCursor(chainKey: string): Promise<ChainCursor | null>;
  /** Stores headers and events and moves the cursor; call it in the transaction that updates the projections. */
  advance(step: {
    readonly cursor: ChainCursor;
    readonly blocks: readonly ChainBlock[];
    readonly events: readonly ChainEventRecord[];
  }): Promise<void>;
  /** Stored headers at or below a block, newest first: candidates for the common ancestor. */
  blocksBelow(query: {
    readonly chainKey: string;
    readonly blockNumber: bigint;
    readonly limit: number;
  }): Promise<readonly ChainBlock[]>;
  /** Forgets blocks and events above the ancestor and sets the cursor on it; returns the subjects that lost events. */
  rollback(chainKey: string, ancestor: ChainBlock): Promise<readonly string[]>;
  /** Events of one position in chain order. */
  eventsOf(chainKey: string, subject: string): Promise<readonly ChainEventRecord[]>;
  eventsNamed(chainKey: string, name: string): Promise<readonly ChainEventRecord[]>;
  /** Highest block that was read a second time when it could no longer be reorganised; null while none was. */
  verifiedNumber(chainKey: string): Promise<bigint | null>;
  /** Sets it; null has everything read again. */
  setVerified(chainKey: string, verifiedNumber: bigint | null): Promise<void>;
  /** Where the events of these blocks stand, without their contents. */
  eventPlaces(range: {
    readonly chainKey: string;
    readonly from: bigint;
    readonly to: bigint;
  }): Promise<readonly EventPlace[]>;
  /** Adds headers and events below the cursor that were missed. Nothing that is there is changed or removed. */
  addMissed(missed: {
    readonly blocks: readonly ChainBlock[];
    readonly events: readonly ChainEventRecord[];
  }): Promise<void>;
  /** What the chain counts as well; null before anything is indexed. */
  counts(chainKey: string): Promise<IndexedCounts | null>;
  /** Forgets at most `limit` headers below a block that is final, the lowest first; returns how many. */
  pruneBlocks(query: {
    readonly chainKey: string;
    readonly belowBlockNumber: bigint;
    readonly limit: number;
  }): Promise<number>;
}

/** What events are about, each once; those that are about nothing are left out. */
export function subjectsOf(events: readonly { readonly subject: string | null }[]): readonly string[] {
  return [...new Set(events.flatMap(({ subject }) => (subject === null ? [] : [subject])))];
}
