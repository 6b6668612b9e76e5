import type {
  Position,
  PositionHistory,
  PositionPartialClose,
  PositionStatus,
  PositionTransaction,
  PositionUnwind,
} from '@core/position';

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
export type ListedPosition = Position & { readonly marketTicker: string; readonly marketTitle: string | null };

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

/** Positions that are not finished, as one moment saw them. */
export interface ActivePage {
  readonly positions: readonly ListedPosition[];
  readonly hasMore: boolean;
}

export interface ActiveQuery {
  readonly partnerId: string;
  /** Null: all wallets of the partner. */
  readonly walletAddress: string | null;
  /** The last one of the page before. */
  readonly after: Pick<Position, 'walletAddress' | 'id'> | null;
  readonly limit: number;
}

export interface PositionStore {
  /** Positions that are not finished, by wallet and id. */
  active(query: ActiveQuery): Promise<ActivePage>;
  /** One page, keyset-paginated: ties by id, positions without `closed_at` last in both directions. */
  list(query: PositionListQuery): Promise<PositionPage>;
  /** Null when unknown or another's. */
  findOwn(owner: PositionOwner): Promise<ListedPosition | null>;
  byKey(positionKey: string): Promise<Position | null>;
  byId(id: string): Promise<Position | null>;
  /** Positions in these statuses that are not frozen, oldest first. */
  inStatuses(statuses: readonly PositionStatus[]): Promise<readonly Position[]>;
  /** What is to be known of a position before it is worked on, without frozen ones: of statuses or of keys. */
  statuses(
    of: { readonly statuses: readonly PositionStatus[] } | { readonly positionKeys: readonly string[] },
  ): Promise<readonly Pick<Position, 'positionKey' | 'status' | 'marketId'>[]>;
  /** Positions in any status whose last event is of that block or a later one, and that are not frozen. */
  changedSince(blockNumber: bigint): Promise<readonly Position[]>;
  /** Positions of a market that are not finished. */
  activeOfMarket(marketId: string): Promise<readonly Position[]>;
  /** In chain order; only up to the finalised block. */
  transactions(positionKey: string): Promise<readonly PositionTransaction[]>;
  unwinds(positionKey: string): Promise<readonly PositionUnwind[]>;
  partialCloses(positionKey: string): Promise<readonly PositionPartialClose[]>;
  /** Σ tokens of open positions that owe, per token id: what is held without debt is in no hurry to be sold. */
  openTokenUnits(): Promise<ReadonlyMap<string, bigint>>;
  /**
   * Waits until no other transaction refolds these keys and keeps others waiting until this one ends. Taken before the
   * events are read: a projection of older events would otherwise replace a newer one.
   */
  lockProjections(positionKeys: readonly string[]): Promise<void>;
  /** Replaces the projection of one key. A freeze stays, and the block it counts as changed at never goes back. */
  put(projection: PositionHistory): Promise<void>;
  /** The chain forgot the key. */
  remove(positionKey: string): Promise<void>;
  /** A person decides: nothing is done for the position until it is unfrozen. */
  freeze(positionKey: string, frozenReason: string): Promise<boolean>;
  /** Frozen positions, oldest first: what a person has to look at. */
  frozen(limit: number): Promise<readonly Position[]>;
  /**
   * Lifts a freeze, and has the position taken in again as changed, whatever the keeper writes of it meanwhile. False
   * when it was not frozen.
   */
  unfreeze(positionKey: string): Promise<boolean>;
  /** Has those who follow changes by block take these positions in again, as changed at that block. */
  markChanged(positionKeys: readonly string[], blockNumber: bigint): Promise<void>;
}
