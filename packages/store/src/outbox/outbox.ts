import type { MarketStatus } from '@core/policy';
import type { Position } from '@core/position';
import type { Subscription } from '../database/broadcast.ts';

/** An event to deliver, written in the transaction that made it true. */
export interface OutboxEntry {
  /** `evt_…`; writing the same id again changes nothing. */
  readonly id: string;
  /** `position.opened`, `market.updated`, `notification`, … */
  readonly type: string;
  /** Null together with the wallet: the event of a market, for everyone. */
  readonly partnerId: string | null;
  readonly walletAddress: string | null;
  readonly positionId: string | null;
  readonly marketId: string | null;
  /** Domain values (bigints allowed): a `PositionPayload`, a `MarketPayload`, or the fields of a notification. */
  readonly payload: unknown;
  readonly createdAtMs: number;
}

/** What a position's event is presented from: the position and its market as they were right after it. */
export interface PositionPayload {
  readonly position: Position;
  /** Null for a market that is not listed. */
  readonly market: EventMarket | null;
}

/** What a position's presentation takes from its market. */
export interface EventMarket {
  readonly ticker: string;
  readonly title: string | null;
  readonly status: MarketStatus;
  readonly closeTimeMs: number | null;
  /** Empty and null until payouts are reported. */
  readonly payoutNumerators: readonly bigint[];
  readonly payoutDenominator: bigint | null;
}

/** Which shown fields of a market changed, by their names in the record, and as of which version. */
export interface MarketPayload {
  readonly ticker: string;
  /** Empty for a discovery: everything is new. */
  readonly changed: readonly string[];
  readonly version: bigint;
}

/** Where an event stands among all: transactions by their number, rows of one by their sequence. */
export interface EventPlace {
  readonly transactionId: bigint;
  readonly sequence: bigint;
}

export interface OutboxRecord extends OutboxEntry, EventPlace {}

/** Whose events: a wallet's within a partner, a partner's without notifications, or the markets'. */
export type EventAudience =
  | { readonly kind: 'user'; readonly partnerId: string; readonly walletAddress: string }
  | { readonly kind: 'partner'; readonly partnerId: string }
  | { readonly kind: 'markets' };

/** Which transactions a reading saw as committed. */
export interface DatabaseSnapshot {
  /** Every transaction below has ended. */
  readonly xmin: bigint;
  /** None from here on had begun. */
  readonly xmax: bigint;
  /** Those between that were still running. */
  readonly running: ReadonlySet<bigint>;
}

/** True when a reading saw what a committed transaction wrote. */
export function isSeenBy({ xmin, xmax, running }: DatabaseSnapshot, transactionId: bigint): boolean {
  return transactionId < xmin || (transactionId < xmax && !running.has(transactionId));
}

/** Negative when the first stands before the second, zero when they are one. */
export function comparePlaces(left: EventPlace, right: EventPlace): number {
  const [a, b] =
    left.transactionId === right.transactionId
      ? [left.sequence, right.sequence]
      : [left.transactionId, right.transactionId];
  return a === b ? 0 : a < b ? -1 : 1;
}

export interface SettledEvents {
  readonly records: readonly OutboxRecord[];
  /** True when more can be read at once, or will be when transactions that still run have ended. */
  readonly isMoreComing: boolean;
}

export interface OutboxStore {
  /** Writes what is not there yet and returns the ids of that, in order. */
  append(entries: readonly OutboxEntry[]): Promise<readonly string[]>;
  /** Whatever is read with `settledAfter` from this place on is after everything that has committed by now. */
  settledPlace(): Promise<EventPlace>;
  /**
   * Events after a place, in order, as far as no transaction that still runs could add one before them: a reader that
   * goes on from the last one misses none and sees none twice.
   */
  settledAfter(after: EventPlace, limit: number): Promise<SettledEvents>;
  /** Events of an audience after one place, up to and with another that is settled. */
  ownAfter(query: {
    readonly audience: EventAudience;
    readonly after: EventPlace;
    readonly upTo: EventPlace;
    readonly limit: number;
  }): Promise<readonly OutboxRecord[]>;
  /** Where an audience's event stands; null when it is unknown, removed or another's. */
  placeOf(audience: EventAudience, id: string): Promise<EventPlace | null>;
  /** The last settled event of an audience, null when there is none. */
  lastOf(audience: EventAudience): Promise<(EventPlace & { readonly id: string }) | null>;
  /** What this reading sees; within `readAtOnce` what all of its statements see. */
  snapshot(): Promise<DatabaseSnapshot>;
  /** Calls `wake` after commits that appended, and after every reconnect; several commits may make one call. */
  subscribe(wake: () => void): Promise<Subscription>;
  /** At most `limit` of the oldest; the number of what was removed. */
  removeOlderThan(createdBeforeMs: number, limit: number): Promise<number>;
}
