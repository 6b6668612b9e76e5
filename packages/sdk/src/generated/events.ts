// Written by packages/sdk/generate/main.ts; do not edit.
import type { Market, Position } from './resources.ts';

/** Where each gateway stands under the origin of a service. */
export const gatewayPaths = {
  partner: '/v1/ws/prediction-markets/positions',
  user: '/v1/ws/prediction-markets/customer-positions',
  markets: '/v1/ws/prediction-markets/markets',
} as const;

/** A gateway of the service. */
export type Gateway = keyof typeof gatewayPaths;

/** Subprotocols by which a browser, which cannot set headers, shows its token. */
export const socketProtocol = 'lev.v1';
export const tokenProtocolPrefix = 'bearer.';

/** Close codes after which connecting again is of no use, with the reason. */
export const finalCloseCodes: Readonly<Record<number, string>> = {
  1003: 'binary frames are not read',
  1009: 'the frame is too large',
  4401: 'the credential has expired, was revoked or is not accepted',
  4403: 'the credential is of the other environment',
  4429: 'too many connections or frames',
};

/** How an opening is going. */
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

/** The data of every event. */
export interface EventData {
  /** The chain has the position; its opening order comes next. */
  readonly 'position.created': Position;
  /** An opening order was authorised. */
  readonly 'position.opening': Position;
  /** The position is open with what was filled. */
  readonly 'position.opened': Position;
  /** The owner asked to close everything. */
  readonly 'position.close_requested': Position;
  /** Everything is sold, or the owner repaid and took the tokens. */
  readonly 'position.closed': Position;
  /** The owner asked to close a part. */
  readonly 'position.partial_close_requested': Position;
  /** The order for a part was authorised. */
  readonly 'position.partial_close_initiated': Position;
  /** A part was sold. */
  readonly 'position.partial_closed': Position;
  /** The order for a part ended without a fill, or the part can no longer be sold by itself. */
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
  /** The market moved towards its payout: its status, its payouts, or an oracle that owes an answer. */
  readonly 'position.settlement_state_changed': Position;
  /** Something else that shows: an order under way, added margin, a withdrawn request, a late payment. */
  readonly 'position.updated': Position;
  /** How an opening is going; the code says what happened. */
  readonly 'notification': Notification;
  /** A market was listed. */
  readonly 'market.discovered': Market;
  /** Fields of a market that changed, beside its ticker; at most one per market in 250 ms. */
  readonly 'market.updated': Partial<Market> & Pick<Market, 'ticker'>;
}

/** The events of each gateway. */
export interface GatewayEvents {
  readonly partner: 'position.created' | 'position.opening' | 'position.opened' | 'position.close_requested' | 'position.closed' | 'position.partial_close_requested' | 'position.partial_close_initiated' | 'position.partial_closed' | 'position.partial_close_aborted' | 'position.force_unwound' | 'position.liquidated' | 'position.settled' | 'position.reverted' | 'position.cancelled' | 'position.settlement_state_changed' | 'position.updated';
  readonly user: 'position.created' | 'position.opening' | 'position.opened' | 'position.close_requested' | 'position.closed' | 'position.partial_close_requested' | 'position.partial_close_initiated' | 'position.partial_closed' | 'position.partial_close_aborted' | 'position.force_unwound' | 'position.liquidated' | 'position.settled' | 'position.reverted' | 'position.cancelled' | 'position.settlement_state_changed' | 'position.updated' | 'notification';
  readonly markets: 'market.discovered' | 'market.updated';
}

/** Why a stream could not go on from where it was. */
export type ResyncReason = 'unknown_event' | 'too_far_behind' | 'chain_reorganised';
