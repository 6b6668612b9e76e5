import { type GridOrder, isDust, type PricePips, subtract, type TokenUnits } from '@core/pricing';
import { openingOrderOf } from '../orders/openingOrder.ts';
import { closingOrderOf, isCloseCovered, repayingTokensOf } from '../orders/saleOrder.ts';
import { type OrderAction, type Wait, wait } from './positionAction.ts';

/** Answer of the price signer to the size of an order. */
export type Consent =
  | {
      readonly kind: 'given';
      /** Worst price of the order. */
      readonly limitPricePips: PricePips;
      /** The venue fee's share of the money traded. */
      readonly venueFeeBps: bigint;
      /** Fee that a sale has to cover: that share, or the maximum of the exchange when it is higher. */
      readonly coverFeeBps: bigint;
    }
  | RefusedConsent;

/** Refusal of a request for consent. */
export interface RefusedConsent {
  readonly kind: 'refused';
  readonly code: string;
  /** The same request may be granted a moment later: the signer's feed is filling. */
  readonly isTransient: boolean;
}

export type OrderDecision =
  /** The order on the venue's grid, within all bounds. */
  | { readonly kind: 'send'; readonly grid: GridOrder }
  /** No order, and the attempt counts. */
  | { readonly kind: 'miss'; readonly reason: string }
  /** Refused unwind: recorded, so that a requested close goes first. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isTransient: boolean }
  | Wait;

/**
 * Return the order of a decided action under the signer's consent, or the consequence of a refusal. An opening that the
 * signer refuses, or whose price moved away, counts as an attempt, except after transient refusals. A requested sale
 * waits; an unwind is refused. An unwind sells no more than its debt needs at the granted limit.
 */
export function decideOrder(action: OrderAction, consent: Consent): OrderDecision {
  if (consent.kind === 'refused') return refusalOf(action, consent);
  const { limitPricePips, venueFeeBps, coverFeeBps } = consent;
  if (action.purpose === 'open') {
    const order = openingOrderOf({ ...action.bounds, limitPricePips, venueFeeBps });
    return order.kind === 'order' ? { kind: 'send', grid: order } : { kind: 'miss', reason: order.kind };
  }
  if (action.purpose === 'liquidate')
    return { kind: 'send', grid: closingOrderOf({ ...action.bounds, limitPricePips }) };
  const bounds = { ...action.bounds, limitPricePips, venueFeeBps };
  const soldTokenUnits = action.purpose === 'unwind' ? repayingTokensOf(bounds) : bounds.tokenUnits;
  const isCovered = isCloseCovered({ ...bounds, venueFeeBps: coverFeeBps, soldTokenUnits });
  const isAllowed = isCovered || isWholeBelowDebt(action, soldTokenUnits);
  if (!isAllowed) return belowDebtOf(action);
  return { kind: 'send', grid: closingOrderOf({ ...bounds, tokenUnits: soldTokenUnits }) };
}

type Refusal = Exclude<OrderDecision, { readonly kind: 'send' }>;

/** Return the consequence of a refused consent. */
export function refusalOf(action: OrderAction, { code, isTransient }: RefusedConsent): Refusal {
  if (action.purpose === 'unwind') return { kind: 'refused', reason: code, isTransient };
  const isCounted = action.purpose === 'open' && !isTransient;
  return isCounted ? { kind: 'miss', reason: code } : wait(code, action.retryAtMs);
}

/** Return the consequence of a sale below the debt. An unwind is requested as often as before: a price may return. */
export function belowDebtOf({ purpose, retryAtMs }: OrderAction): Refusal {
  const reason = 'sale_below_debt';
  return purpose === 'unwind' ? { kind: 'refused', reason, isTransient: true } : wait(reason, retryAtMs);
}

/**
 * Return true for a sale that may bring less than the debt: a hard exit, and a debt that all tokens do not cover, but
 * only of the whole position.
 */
export function isWholeBelowDebt(action: OrderAction, soldTokenUnits: TokenUnits): boolean {
  if (action.purpose !== 'unwind' || !(action.isHardExit || action.isBelowDebt)) return false;
  return isDust(subtract(action.bounds.heldTokenUnits, soldTokenUnits));
}
