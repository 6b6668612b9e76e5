import type {
  PositionPartialCloseRecord,
  PositionProjection,
  PositionRecord,
  PositionStatus,
  PositionTransactionRecord,
  PositionUnwindRecord,
} from './positionRecord.ts';

export interface PositionListQuery {
  readonly partnerId: string;
  readonly walletAddress: string;
  /** Narrowing by market, event or series; at most one is given. */
  readonly ticker?: string;
  readonly eventTicker?: string;
  readonly seriesTicker?: string;
  readonly tokenId?: string;
  /** `open` also returns positions being unwound. */
  readonly status?: PositionStatus;
  readonly state?: 'active' | 'inactive';
  readonly sortBy: 'created_at' | 'closed_at';
  readonly sortDirection: 'asc' | 'desc';
  /** 1 to 100. */
  readonly limit: number;
  /** Position ids; at most one is given. */
  readonly startingAfter?: string;
  readonly endingBefore?: string;
  readonly withTotalCount: boolean;
}

/** A position and the ticker and title of its market. */
export type ListedPosition = PositionRecord & { readonly marketTicker: string; readonly marketTitle: string | null };

export type PositionPage =
  | {
      readonly kind: 'page';
      readonly data: readonly ListedPosition[];
      readonly hasMore: boolean;
      /** Null unless asked for. */
      readonly totalCount: number | null;
    }
  /** The cursor names no position of this caller. */
  | { readonly kind: 'unknown_cursor' };

export interface PositionOwner {
  readonly id: string;
  readonly partnerId: string;
  readonly walletAddress: string;
}

export interface PositionStore {
  /** One page, keyset-paginated: ties by id, positions without `closed_at` last in both directions. */
  list(query: PositionListQuery): Promise<PositionPage>;
  /** Null when unknown or another's. */
  findOwn(owner: PositionOwner): Promise<ListedPosition | null>;
  byKey(positionKey: string): Promise<PositionRecord | null>;
  byId(id: string): Promise<PositionRecord | null>;
  /** Positions in these statuses that are not frozen, oldest first: the keeper's work list. */
  inStatuses(statuses: readonly PositionStatus[]): Promise<readonly PositionRecord[]>;
  /** Positions in any status whose last event is of that block or a later one, and that are not frozen. */
  changedSince(blockNumber: bigint): Promise<readonly PositionRecord[]>;
  /** Every position of a market, in any status. */
  ofMarket(marketId: string): Promise<readonly PositionRecord[]>;
  /** In chain order; only up to the finalised block. */
  transactions(positionKey: string): Promise<readonly PositionTransactionRecord[]>;
  unwinds(positionKey: string): Promise<readonly PositionUnwindRecord[]>;
  partialCloses(positionKey: string): Promise<readonly PositionPartialCloseRecord[]>;
  /** Σ tokens of open positions per token id. */
  openTokenUnits(): Promise<ReadonlyMap<string, bigint>>;
  /**
   * Waits until no other transaction refolds these keys and keeps others waiting until this one ends. Taken before the
   * events are read: a projection of older events would otherwise replace a newer one.
   */
  lockProjections(positionKeys: readonly string[]): Promise<void>;
  /** Replaces the projection of one key. */
  put(projection: PositionProjection): Promise<void>;
  /** The chain forgot the key. */
  remove(positionKey: string): Promise<void>;
  freeze(positionKey: string, frozenReason: string | null): Promise<boolean>;
}
