import type { TokenUnits, UsdcUnits } from '@core/pricing';
import type { OpeningBounds } from '../orders/openingOrder.ts';
import type { ClosingBounds } from '../orders/saleOrder.ts';
import type { OpeningFailureReason } from '../states/openingFailure.ts';
import type { OrderPurpose } from '../states/transitions.ts';
import type { UnwindReason } from '../states/unwindReasons.ts';
import type { CloseAttempt } from './closeRetry.ts';
import type { LiveOrder } from './positionObservation.ts';

/** Bounds of an order that the price signer adds. */
type Attested = 'limitPricePips' | 'venueFeeBps';

/** Notifications about an opening that continues. */
export type OpeningProgress = 'ORDER_FULFILLMENT_RETRYING' | 'PARTIAL_OPEN_PROGRESS';

interface OrderBase {
  readonly kind: 'order';
  /** FOK fills its whole size or nothing; FAK takes what is there. */
  readonly orderType: 'FOK' | 'FAK';
  /** Size to ask the price signer's consent for. */
  readonly tokenUnits: TokenUnits;
  readonly attempt: number;
  /** Time of the next check if no order results; null: at the next round. */
  readonly retryAtMs: number | null;
}

/** An order to authorise, complete but for the price signer's limit: `decideOrder` applies the bounds to it. */
export type OrderAction = OrderBase &
  (
    | {
        readonly purpose: 'open';
        readonly bounds: Omit<OpeningBounds, Attested>;
        readonly progress: OpeningProgress | null;
      }
    | {
        readonly purpose: 'close';
        readonly bounds: Omit<ClosingBounds, Attested> & { readonly debtUsdcUnits: UsdcUnits };
        /** The request it serves and what the book took of it, for the delay of the next one. */
        readonly serves: CloseAttempt;
      }
    | {
        readonly purpose: 'unwind';
        readonly bounds: Omit<ClosingBounds, Attested> & { readonly debtUsdcUnits: UsdcUnits };
        /** Reason of the repayment, for its row. */
        readonly reason: UnwindReason;
        /** The rung of the ladder that it carries out; null when nothing was planned. */
        readonly rung: number | null;
        readonly isHardExit: boolean;
        readonly isBelowDebt: boolean;
      }
    | { readonly purpose: 'liquidate'; readonly bounds: Omit<ClosingBounds, Attested> }
  );

/** One thing to do for a position now. Kind, purpose and attempt name it: done twice, it has one effect. */
export type PositionAction =
  | OrderAction
  /** Opening attempt without an order: it counts. */
  | { readonly kind: 'record_miss'; readonly attempt: number; readonly reason: string }
  | { readonly kind: 'finalize'; readonly purpose: OrderPurpose; readonly attempt: number }
  | { readonly kind: 'refund'; readonly reason: OpeningFailureReason | null; readonly attempt: number }
  | { readonly kind: 'settle'; readonly attempt: number }
  | { readonly kind: 'defer_close' };

/** Nothing to do now. */
export interface Wait {
  readonly kind: 'wait';
  /** A code of the decision's own or of the price signer's. */
  readonly reason: string;
  /** Time at which something may be due without a change; null: only a change matters. */
  readonly untilMs: number | null;
}

export type PositionDecision = { readonly kind: 'act'; readonly action: PositionAction } | Wait;

export const act = (action: PositionAction): PositionDecision => ({ kind: 'act', action });
export const wait = (reason: string, untilMs: number | null): Wait => ({ kind: 'wait', reason, untilMs });

/** Close that waits beside an unwind that waits: the unwind is reported, and neither is checked late. */
export function soonerOf(unwind: Wait | null, close: Wait): Wait {
  if (unwind === null) return close;
  const isKnown = unwind.untilMs !== null && close.untilMs !== null;
  return wait(unwind.reason, isKnown ? Math.min(unwind.untilMs, close.untilMs) : null);
}

/**
 * Time after which a position is checked again although the venue and the index announce the end of orders and
 * positions: an announcement may be lost.
 */
const lostEventMs = 1_000;

/** A wait for something that is announced. */
export const awaitEvent = (reason: 'ended' | 'order_alive', nowMs: number): Wait => wait(reason, nowMs + lostEventMs);

/** Longest time for which a grant is not read again before its end: a fill wakes its position. */
const longestGrantWaitMs = 5_000;

/** A wait for the end of a live order, which the venue announces, or of a grant, whose time the chain alone knows. */
export function awaitEnd({ isGrant, validUntilMs }: Pick<LiveOrder, 'isGrant' | 'validUntilMs'>, nowMs: number): Wait {
  if (!isGrant) return awaitEvent('order_alive', nowMs);
  return wait('order_alive', nowMs + Math.min(longestGrantWaitMs, Math.max(lostEventMs, validUntilMs - nowMs)));
}
