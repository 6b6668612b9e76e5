import type { Side, UsageByScope } from '@core/policy';
import type { UsdcUnits, UsdPips } from '@core/pricing';

/** Where something counts. */
export interface UsageScope {
  readonly partnerId: string | null;
  readonly walletAddress: string;
  readonly marketId: string | null;
  readonly side: Side;
  readonly clusterKey: string | null;
}

export interface PositionUsage {
  readonly positionKey: string;
  readonly scope: UsageScope;
  readonly activeNotionalUsdPips: UsdPips;
  readonly pendingBorrowUsdcUnits: UsdcUnits;
  readonly lentBorrowUsdcUnits: UsdcUnits;
}

/** What a refold of a position does to the counters. */
export type UsageMove =
  | { readonly kind: 'counted'; readonly usage: PositionUsage }
  /** The chain forgot the position. */
  | { readonly kind: 'forgotten'; readonly positionKey: string };

export interface UsageStore {
  read(scope: Omit<UsageScope, 'side'>): Promise<UsageByScope>;
  /** Counters of the given markets, their sides and clusters, of the partner and of all, for a page of markets. */
  readMarkets(
    partnerId: string,
    markets: readonly { readonly id: string; readonly clusterKey: string | null }[],
  ): Promise<(market: { readonly id: string; readonly clusterKey: string | null }) => UsageByScope>;
  /**
   * States what a position counts now; the counters move by the difference, so repeating a statement changes nothing.
   * The first call turns the key's reservation into usage, also when the reservation was released already.
   */
  setPosition(usage: PositionUsage): Promise<void>;
  /** The chain forgot the position: its reservation counts again, or is released when it has expired at `nowMs`. */
  forgetPosition(positionKey: string, nowMs: number): Promise<void>;
  /**
   * Several moves of one transaction. Everything they touch is locked first, in the order in which quotes lock it:
   * reservations by key, then counters by rank and key. So neither ever waits for the other in a circle.
   */
  move(moves: readonly UsageMove[], nowMs: number): Promise<void>;
  /** Releases reservations whose grace has passed, each exactly once; returns their position keys. */
  releaseExpired(nowMs: number, limit: number): Promise<readonly string[]>;
  /** Deletes counters in which nothing is counted, at most `limit`; returns how many. Used again, one returns. */
  removeEmpty(limit: number): Promise<number>;
  reservation(positionKey: string): Promise<ReservationRecord | null>;
}

export interface ReservationRecord {
  readonly positionKey: string;
  readonly state: 'live' | 'released' | 'used';
  readonly inFlightNotionalUsdPips: UsdPips;
  readonly inFlightBorrowUsdcUnits: UsdcUnits;
  readonly activeNotionalUsdPips: UsdPips;
  readonly pendingBorrowUsdcUnits: UsdcUnits;
  readonly lentBorrowUsdcUnits: UsdcUnits;
  readonly quotedNotionalUsdPips: UsdPips;
  readonly quotedBorrowUsdcUnits: UsdcUnits;
  readonly releaseAtMs: number;
}
