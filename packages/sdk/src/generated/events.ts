// Written by packages/sdk/generate/main.ts; do not edit.
import type { Market, Position } from './resources.ts';

/** Path of each gateway under the origin of a service. */
export const gatewayPaths = {
  partner: '/v1/ws/prediction-markets/positions',
  user: '/v1/ws/prediction-markets/customer-positions',
  markets: '/v1/ws/prediction-markets/markets',
} as const;

/** Gateway of the service. */
export type Gateway = keyof typeof gatewayPaths;

/** Subprotocols with which a browser, which cannot set headers, sends its token. */
export const socketProtocol = 'lev.v1';
export const tokenProtocolPrefix = 'bearer.';

/** Close codes after which a new connection would fail as well, with the reason. */
export const finalCloseCodes: Readonly<Record<number, string>> = {
  1003: 'binary frames are not supported',
  1009: 'the frame is too large',
  4401: 'the credential has expired, was revoked or is not accepted',
  4403: 'the credential belongs to the other environment',
  4429: 'too many connections or frames',
};

/** Progress of an opening. */
export type Notification =
  | { readonly code: 'PARTIAL_OPEN_PROGRESS'; readonly message: string; readonly params: {
    readonly position_id: string;
    readonly attempt: number;
    readonly max_attempts: number;
  } }
  | { readonly code: 'PARTIAL_OPEN_FLOOR_MISSED'; readonly message: string; readonly params: {
    readonly position_id: string;
    readonly reason: string;
  } }
  | { readonly code: 'ORDER_FULFILLMENT_FAILED'; readonly message: string; readonly params: {
    readonly position_id: string;
    readonly reason: string;
  } }
  | { readonly code: 'ORDER_FULFILLMENT_RETRYING'; readonly message: string; readonly params: {
    readonly position_id: string;
    readonly attempt: number;
    readonly max_attempts: number;
  } };

/** Data of every event. */
export interface EventData {
  /** The position exists on chain; its opening order follows. */
  readonly 'position.created': Position;
  /** An opening order was authorised. */
  readonly 'position.opening': Position;
  /** The position is open with the filled part. */
  readonly 'position.opened': Position;
  /** The owner requested a full close. */
  readonly 'position.close_requested': Position;
  /** All tokens are sold, or the owner repaid the loan and withdrew the tokens. */
  readonly 'position.closed': Position;
  /** The owner requested a partial close. */
  readonly 'position.partial_close_requested': Position;
  /** The order of a partial close was authorised. */
  readonly 'position.partial_close_initiated': Position;
  /** A partial close was executed. */
  readonly 'position.partial_closed': Position;
  /** The order of a partial close ended without a fill, or the part became too small to sell separately. */
  readonly 'position.partial_close_aborted': Position;
  /** Tokens were sold to repay debt. */
  readonly 'position.force_unwound': Position;
  /** The position was liquidated. */
  readonly 'position.liquidated': Position;
  /** The market's payout was redeemed. */
  readonly 'position.settled': Position;
  /** The opening failed and everything is refunded. */
  readonly 'position.reverted': Position;
  /** The owner cancelled the opening and everything is refunded. */
  readonly 'position.cancelled': Position;
  /** The settlement of the market advanced: its status, its payouts, or an oracle with a pending answer. */
  readonly 'position.settlement_state_changed': Position;
  /** Another visible change: a pending order, added margin, a withdrawn request, a late payment. */
  readonly 'position.updated': Position;
  /** Progress of an opening; dispatch on the code. */
  readonly 'notification': Notification;
  /** A market was listed. */
  readonly 'market.discovered': Market;
  /** Ticker and changed fields of a market; at most one per market in 250 ms. */
  readonly 'market.updated': Partial<Market> & Pick<Market, 'ticker'>;
}

/** Events of each gateway. */
export interface GatewayEvents {
  readonly partner: 'position.created' | 'position.opening' | 'position.opened' | 'position.close_requested' | 'position.closed' | 'position.partial_close_requested' | 'position.partial_close_initiated' | 'position.partial_closed' | 'position.partial_close_aborted' | 'position.force_unwound' | 'position.liquidated' | 'position.settled' | 'position.reverted' | 'position.cancelled' | 'position.settlement_state_changed' | 'position.updated';
  readonly user: 'position.created' | 'position.opening' | 'position.opened' | 'position.close_requested' | 'position.closed' | 'position.partial_close_requested' | 'position.partial_close_initiated' | 'position.partial_closed' | 'position.partial_close_aborted' | 'position.force_unwound' | 'position.liquidated' | 'position.settled' | 'position.reverted' | 'position.cancelled' | 'position.settlement_state_changed' | 'position.updated' | 'notification';
  readonly markets: 'market.discovered' | 'market.updated';
}

/** Reason for which a stream could not resume. */
export type ResyncReason = 'unknown_event' | 'too_far_behind' | 'chain_reorganised';
