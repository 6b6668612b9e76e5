import type { Side } from '@core/policy';
import type { UsdcUnits, UsdPips } from '@core/pricing';

/** What counts against the caps in one scope. */
export interface UsageCounters {
  readonly inFlightNotionalUsdPips: UsdPips;
  readonly inFlightBorrowUsdcUnits: UsdcUnits;
  /** Entry notional of positions in the `active` group (pending: as quoted). */
  readonly activeNotionalUsdPips: UsdPips;
  /** Borrow of pending positions the pool has not lent to yet. */
  readonly pendingBorrowUsdcUnits: UsdcUnits;
  /** Principal outstanding. */
  readonly lentBorrowUsdcUnits: UsdcUnits;
}

/** Where something counts. */
export interface UsageScope {
  readonly partnerId: string | null;
  readonly walletAddress: string;
  readonly marketId: string | null;
  readonly side: Side;
  readonly clusterKey: string | null;
}

export interface UsageByScope {
  readonly user: UsageCounters;
  readonly market: UsageCounters;
  readonly yes: UsageCounters;
  readonly no: UsageCounters;
  readonly cluster: UsageCounters;
  readonly partner: UsageCounters;
  readonly global: UsageCounters;
}

export interface PositionUsage {
  readonly positionKey: string;
  readonly scope: UsageScope;
  readonly activeNotionalUsdPips: UsdPips;
  readonly pendingBorrowUsdcUnits: UsdcUnits;
  readonly lentBorrowUsdcUnits: UsdcUnits;
}

export interface UsageStore {
  read(scope: Omit<UsageScope, 'side'>): Promise<UsageByScope>;
  /** Every scope of every market at once, keyed `market:<id>` and `side:<id>:<yes|no>`, for the market list. */
  readMarkets(): Promise<ReadonlyMap<string, UsageCounters>>;
  /**
   * States what a position counts now; the counters move by the difference, so repeating a statement changes nothing.
   * The first call turns the key's reservation into usage, also when the reservation was released already.
   */
  setPosition(usage: PositionUsage): Promise<void>;
  /** The chain forgot the position: its reservation lives again when it has not expired at `nowMs`, else it is released. */
  forgetPosition(positionKey: string, nowMs: number): Promise<void>;
  /** Releases reservations whose grace has passed, each exactly once; returns their position keys. */
  releaseExpired(nowMs: number, limit: number): Promise<readonly string[]>;
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
