import type { MarketRecord } from '@core/market';
import type { Position } from '@core/position';
import type { EventType, NotificationCode } from '@core/wire';

/** Type and payload of an event, one member per payload, keyed by the event table. */
export type EventContent =
  /** `position.removed` is not on the wire: it asks clients to read their positions again. */
  | {
      readonly type: Extract<EventType, `position.${string}`> | 'position.removed';
      readonly payload: PositionPayload;
    }
  | { readonly type: 'notification'; readonly payload: NotificationPayload }
  | { readonly type: Extract<EventType, `market.${string}`>; readonly payload: MarketPayload };

export type PositionEventType = Extract<EventContent, { readonly payload: PositionPayload }>['type'];
export type MarketEventType = Extract<EventContent, { readonly payload: MarketPayload }>['type'];

/** Fields of an event beside its content. */
interface EventHeader {
  /** `evt_…`; a second entry with the same id is ignored. */
  readonly id: string;
  /** Null together with the wallet: the event of a market, for everyone. */
  readonly partnerId: string | null;
  readonly walletAddress: string | null;
  readonly positionId: string | null;
  readonly marketId: string | null;
  readonly createdAtMs: number;
}

/** Event to deliver, written in the transaction that made it true. */
export type OutboxEntry = EventHeader & EventContent;

/** Payload of a position's event: the position and its market right after it. */
export interface PositionPayload {
  readonly position: Position;
  /** Null for a market that is not listed. */
  readonly market: EventMarket | null;
}

/** Fields of a market that the presentation of a position needs. */
export type EventMarket = Pick<
  MarketRecord,
  'ticker' | 'title' | 'status' | 'closeTimeMs' | 'payoutNumerators' | 'payoutDenominator'
>;

/** Changed fields of a market, by their names in the record, and the version that has them. */
export interface MarketPayload {
  readonly ticker: string;
  /** Empty for a discovery: everything is new. */
  readonly changed: readonly string[];
  readonly version: bigint;
}

/** Payload of a notification: its code, with the position and the params of that code. */
export interface NotificationPayload {
  readonly code: NotificationCode;
  readonly params: { readonly position_id: string } & Readonly<Record<string, string | number>>;
}

/** Position of an event in the total order: transactions by their number, rows of one by their sequence. */
export interface EventPlace {
  readonly transactionId: bigint;
  readonly sequence: bigint;
}

/** Stored event with its position. The payload is null when it cannot be read. */
export type OutboxRecord = EventHeader & EventPlace & Readable<EventContent>;

type Readable<Content> = Content extends { readonly type: infer Type; readonly payload: infer Payload }
  ? { readonly type: Type; readonly payload: Payload | null }
  : never;

/** Stored event of a market. */
export type MarketEventRecord = Extract<OutboxRecord, { readonly type: MarketEventType }>;

/** Return true for the event of a market, which every caller of the markets gateway receives. */
export function isMarketEvent(record: OutboxRecord): record is MarketEventRecord {
  return record.type === 'market.discovered' || record.type === 'market.updated';
}

/** Return the payload of an event. @throws TypeError when it cannot be read. */
export function payloadOf<Payload>({
  id,
  payload,
}: {
  readonly id: string;
  readonly payload: Payload | null;
}): Payload {
  if (payload === null) throw new TypeError(`the payload of the event ${id} cannot be read`);
  return payload;
}

/** Audience of events: a wallet within a partner, a partner without notifications, or the markets gateway. */
export type EventAudience =
  | { readonly kind: 'user'; readonly partnerId: string; readonly walletAddress: string }
  | { readonly kind: 'partner'; readonly partnerId: string }
  | { readonly kind: 'markets' };

/** Transactions that a reading saw as committed. */
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

/** Compare two events in the total order: negative when the first precedes the second, zero for the same one. */
export function comparePlaces(left: EventPlace, right: EventPlace): number {
  const [a, b] =
    left.transactionId === right.transactionId
      ? [left.sequence, right.sequence]
      : [left.transactionId, right.transactionId];
  return a === b ? 0 : a < b ? -1 : 1;
}

/** A running transaction that holds a number: until it ends, later events of its database wait. */
export interface RunningWriter {
  readonly pid: number;
  readonly database: string | null;
  readonly application: string | null;
  /** Null when the database does not show it to this user. */
  readonly ageMs: number | null;
}

export interface SettledEvents {
  readonly records: readonly OutboxRecord[];
  /** True when more can be read at once, or will be when transactions that still run have ended. */
  readonly isMoreComing: boolean;
}
