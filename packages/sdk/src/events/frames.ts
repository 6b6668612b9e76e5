import type { EventData, Gateway, GatewayEvents, ResyncReason } from '../generated/events.ts';
import type { Market, Position } from '../generated/resources.ts';
import { jsonOf } from '../http/jsonOf.ts';

/** Event of the service. */
export type ServiceEvent<G extends Gateway> = {
  readonly [Type in GatewayEvents[G]]: {
    readonly type: Type;
    /** ID with which a stream resumes after this event, also in another process. */
    readonly id: string;
    readonly created_at: string;
    readonly data: EventData[Type];
  };
}[GatewayEvents[G]];

/** Active positions at the start of a stream and after a gap. */
export interface SnapshotEvent {
  readonly type: 'snapshot';
  readonly positions: readonly Position[];
}

/**
 * Gap: events may be missing, and known state must be read again. A snapshot follows where the gateway has one, except
 * for `unreadable_event`: one event was unreadable twice in a row, and the stream continues after it.
 */
export interface GapEvent {
  readonly type: 'gap';
  readonly reason: ResyncReason | 'nothing_to_resume_from' | 'unreadable_event';
}

/** Prices of one market. Marks value the positions of a side; they remain when the prices are null. */
export interface FollowedPrices {
  readonly ticker: string;
  /** Best prices; null without recent data. */
  readonly prices: NonNullable<Market['prices']> | null;
  readonly yes_mark_price_usd_pips: string | null;
  readonly no_mark_price_usd_pips: string | null;
}

/**
 * Prices of followed markets: initially, on change, and every few seconds. They are not resumed; the latest frame
 * applies.
 */
export interface PricesFrame {
  /** Time of the service. */
  readonly at: string;
  readonly markets: readonly FollowedPrices[];
}

/** Item of a gateway's stream. */
export type StreamEvent<G extends Gateway> = ServiceEvent<G> | GapEvent | (G extends 'markets' ? never : SnapshotEvent);

/** Frames that a client processes. */
export type Frame =
  | { readonly frame: 'connected'; readonly last_event_id?: string | null }
  | {
      readonly frame: 'snapshot';
      readonly positions: readonly Position[];
      readonly last_event_id: string | null;
      readonly has_more: boolean;
    }
  | ({ readonly frame: 'event'; readonly seq: number } & ServiceEvent<Gateway>)
  | { readonly frame: 'prices'; readonly at: string; readonly markets: readonly FollowedPrices[] }
  | { readonly frame: 'resync_required'; readonly reason: ResyncReason }
  | { readonly frame: 'token_expiring' }
  | { readonly frame: 'restarting'; readonly retry_after_ms: number }
  | { readonly frame: 'authenticated' | 'pong' | 'error' }
  /** Placeholder for a message that is no frame or lacks a required field. */
  | { readonly frame: 'unreadable' };

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);

export const isFollowedPrices = (market: unknown): boolean =>
  isObject(market) && isText(market['ticker']) && (market['prices'] === null || isObject(market['prices']));

/** Validators of the frames that a client processes; any other frame only shows that the connection is alive. */
const forms: Readonly<Record<string, (frame: Fields) => boolean>> = {
  connected: ({ last_event_id: id }) => id === undefined || isTextOrNull(id),
  snapshot: ({ positions, last_event_id: id, has_more: hasMore }) =>
    Array.isArray(positions) && isTextOrNull(id) && typeof hasMore === 'boolean',
  event: ({ seq, id, type, data }) => Number.isSafeInteger(seq) && isText(id) && isText(type) && isObject(data),
  prices: ({ at, markets }) => isText(at) && Array.isArray(markets),
  resync_required: ({ reason }) => isText(reason),
  restarting: ({ retry_after_ms: retryAfterMs }) => Number.isFinite(retryAfterMs),
};

/** Parse a message into a frame: `unreadable` for anything else. */
export function frameOf(message: unknown): Frame {
  const frame = jsonOf(String(message));
  return isFrame(frame) ? frame : { frame: 'unreadable' };
}

function isFrame(frame: unknown): frame is Frame {
  if (!isObject(frame) || typeof frame['frame'] !== 'string') return false;
  const isWellFormed = Object.hasOwn(forms, frame['frame']) ? forms[frame['frame']] : undefined;
  return isWellFormed?.(frame) ?? true;
}

/** Return the readable positions of a snapshot: a malformed one does not hide the others. */
export const readablePositions = (positions: readonly Position[]): readonly Position[] =>
  positions.filter((position) => isObject(position) && isText(position.on_chain_position_key));
