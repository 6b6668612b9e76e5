import type { Position, PositionStatus } from '@core/position';

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
