import type { PricePips, TokenUnits, UsdcUnits } from '@core/pricing';
import type { OrderPurpose, PositionStateName } from './transitions.ts';

/** Why an opening ends without a position, as `failure.reason` shows it. */
export type OpeningFailureReason =
  | 'order_not_filled'
  | 'floor_missed'
  | 'market_resolved'
  | 'venue_rejected'
  | 'price_moved'
  | 'ghost_fill';

/** The one order of a position that may still fill. */
export interface LiveOrder {
  readonly purpose: Exclude<OrderPurpose, 'none'>;
  readonly validUntilMs: number;
  /** The venue says that it will not fill any further: filled, killed or rejected. */
  readonly isTerminalAtVenue: boolean;
  /** What the account holds of it on chain, not what the venue reports. */
  readonly filledUsdcUnits: UsdcUnits;
}

/** What the keeper sees of a position before it acts: chain first, then venue, then its own intents. */
export interface PositionObservation {
  readonly nowMs: number;
  readonly positionKey: string;
  readonly state: PositionStateName;
  /** The digest matches a stored quote. Others are frozen and never touched. */
  readonly isKnownQuote: boolean;
  readonly liveOrder: LiveOrder | null;
  /** The venue takes orders and nothing of a resolution is known. */
  readonly isMarketTradable: boolean;
  readonly arePayoutsKnown: boolean;
  readonly opening: {
    readonly isCancelRequested: boolean;
    readonly windowEndsAtMs: number;
    readonly allowPartialFill: boolean;
    readonly notionalUsdcUnits: UsdcUnits;
    /** Least notional that must fill; equal to the notional of an atomic opening. */
    readonly floorUsdcUnits: UsdcUnits;
    /** Spent on tokens by orders that ended. */
    readonly filledUsdcUnits: UsdcUnits;
    readonly attemptCount: number;
    readonly lastAttemptAtMs: number | null;
  };
  readonly closing: {
    readonly heldTokenUnits: TokenUnits;
    /** Null when no close is requested. */
    readonly requestedTokenUnits: TokenUnits | null;
    readonly minPricePips: PricePips;
    readonly attemptCount: number;
    readonly lastAttemptAtMs: number | null;
    readonly isDeferred: boolean;
  };
  readonly liquidation: {
    /** The live mark is at or below the vault's liquidation price. */
    readonly isDue: boolean;
    readonly attemptCount: number;
    readonly lastAttemptAtMs: number | null;
  };
}

/** What every action carries: repeating one with the same key has no second effect. */
interface ActionBase {
  readonly positionKey: string;
  readonly idempotencyKey: string;
}

/** One thing to do for a position now. `unwind` has its final shape; the watch that decides it reads `readWatch`. */
export type PositionAction =
  | (ActionBase & { readonly kind: 'freeze'; readonly reason: 'unknown_quote' })
  | (ActionBase & {
      readonly kind: 'authorize_open';
      /** FOK fills its whole size or nothing; FAK takes what is there. */
      readonly orderType: 'FOK' | 'FAK';
      readonly notionalUsdcUnits: UsdcUnits;
      readonly attempt: number;
    })
  | (ActionBase & { readonly kind: 'finalize'; readonly purpose: OrderPurpose })
  | (ActionBase & { readonly kind: 'refund'; readonly reason: OpeningFailureReason | null })
  | (ActionBase & {
      readonly kind: 'authorize_close';
      readonly tokenUnits: TokenUnits;
      readonly minPricePips: PricePips;
      readonly attempt: number;
    })
  | (ActionBase & { readonly kind: 'defer_close' })
  | (ActionBase & { readonly kind: 'settle' })
  | (ActionBase & {
      readonly kind: 'unwind';
      readonly tokenUnits: TokenUnits;
      readonly isFullRepayment: boolean;
      readonly attempt: number;
    })
  | (ActionBase & { readonly kind: 'liquidate'; readonly tokenUnits: TokenUnits; readonly attempt: number });
