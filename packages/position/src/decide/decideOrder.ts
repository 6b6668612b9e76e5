import { type GridOrder, isDust, type PricePips, subtract, type TokenUnits } from '@core/pricing';
import { openingOrderOf } from '../orders/openingOrder.ts';
import { closingOrderOf, isCloseCovered, repayingTokensOf } from '../orders/saleOrder.ts';
import { type OrderAction, type Wait, wait } from './positionAction.ts';

/** What the price signer answered to an order's size. */
export type Consent =
  | {
      readonly kind: 'given';
      /** Worst price of the order. */
      readonly limitPricePips: PricePips;
      /** The venue fee's share of the money traded. */
      readonly venueFeeBps: bigint;
    }
  | {
      readonly kind: 'refused';
      readonly code: string;
      /** The same request may be granted a moment later: the signer's feed is filling. */
      readonly passesByItself: boolean;
    };

export type OrderDecision =
  /** The order on the venue's grid, within all bounds. */
  | { readonly kind: 'send'; readonly grid: GridOrder }
  /** No order, and the attempt counts. */
  | { readonly kind: 'miss'; readonly reason: string }
  /** No order for an unwind: it is remembered, so that it makes way for a close that was asked for. */
  | { readonly kind: 'refused'; readonly reason: string; readonly passesByItself: boolean }
  | Wait;

/**
 * The order that a decided action becomes under the signer's consent, or what follows from having none. An opening that
 * the signer refuses or whose price went away counts as an attempt, but for refusals that pass by themselves; a sale
 * that was asked for waits, an unwind is refused. That sells no more than its debt needs at the limit that was granted.
 */
export function decideOrder(action: OrderAction, consent: Consent): OrderDecision {
  if (consent.kind === 'refused') {
    const { code, passesByItself } = consent;
    if (action.purpose === 'unwind') return { kind: 'refused', reason: code, passesByItself };
    const isCounted = action.purpose === 'open' && !passesByItself;
    return isCounted ? { kind: 'miss', reason: code } : wait(code, action.retryAtMs);
  }
  const { limitPricePips, venueFeeBps } = consent;
  if (action.purpose === 'open') {
    const order = openingOrderOf({ ...action.bounds, limitPricePips, venueFeeBps });
    return order.kind === 'order' ? { kind: 'send', grid: order } : { kind: 'miss', reason: order.kind };
  }
  if (action.purpose === 'liquidate')
    return { kind: 'send', grid: closingOrderOf({ ...action.bounds, limitPricePips }) };
  const bounds = { ...action.bounds, limitPricePips, venueFeeBps };
  const soldTokenUnits = action.purpose === 'unwind' ? repayingTokensOf(bounds) : bounds.tokenUnits;
  const isAllowed = isCloseCovered({ ...bounds, soldTokenUnits }) || isWholeHardExit(action, soldTokenUnits);
  if (!isAllowed) return belowDebtOf(action);
  return { kind: 'send', grid: closingOrderOf({ ...bounds, tokenUnits: soldTokenUnits }) };
}

/** The price may be back at the next moment: an unwind does not ask less often for it. */
function belowDebtOf({ purpose, retryAtMs }: OrderAction): OrderDecision {
  const reason = 'sale_below_debt';
  return purpose === 'unwind' ? { kind: 'refused', reason, passesByItself: true } : wait(reason, retryAtMs);
}

/** In force, the hard exit sells a position even below its debt, but only the whole of it. */
function isWholeHardExit(action: OrderAction, soldTokenUnits: TokenUnits): boolean {
  if (action.purpose !== 'unwind' || !action.isHardExit) return false;
  return isDust(subtract(action.bounds.heldTokenUnits, soldTokenUnits));
}
