import { type Market, ServiceError } from '@core/sdk';
import { amountTextOf, dollars, times } from '../money.ts';
import { grantedSizeOf } from './largestSize.ts';
import { notionalOf, type TicketOrder } from './ticketOrder.ts';

/** Order that is likely to be granted in place of a refused one. */
export interface SuggestedOrder {
  /** Text of its button: `Use $2,928.69 at 2x`. */
  readonly text: string;
  readonly order: TicketOrder;
}

/**
 * Return the order to offer in place of a refused or oversized one: the change that the service suggests, else the
 * largest size that the side grants. Null without a useful change.
 * @param error Refusal of this order; null before its review.
 */
export function suggestedOrderOf(market: Market, order: TicketOrder, error: unknown): SuggestedOrder | null {
  const notional = notionalOf(order);
  if (notional === null) return null;
  const suggested = error instanceof ServiceError ? error.suggested : null;
  if (suggested !== null) {
    const pips = BigInt(suggested.notional_amount_usd_pips);
    return changedOrderOf(order, { pips, leverageBps: suggested.leverage_bps });
  }
  const { min_bps: leverageBps } = market.leverage;
  const largest = grantedSizeOf(market, { side: order.side, leverageBps });
  const isTooLarge = largest !== null && largest > 0n && notional > largest;
  return isTooLarge ? changedOrderOf(order, { pips: largest, leverageBps }) : null;
}

function changedOrderOf(
  order: TicketOrder,
  { pips, leverageBps }: { readonly pips: bigint; readonly leverageBps: number },
): SuggestedOrder | null {
  const notional = notionalOf(order) ?? 0n;
  // A minimum in whole cents rises, a maximum falls.
  const wholeCents = pips > notional ? pips + 99n : pips;
  const amount = amountTextOf(wholeCents);
  const texts = [
    ...(pips === notional ? [] : [dollars(String((wholeCents / 100n) * 100n))]),
    ...(leverageBps === order.leverageBps ? [] : [times(leverageBps)]),
  ];
  if (texts.length === 0) return null;
  return { text: `Use ${texts.join(' at ')}`, order: { ...order, amountKind: 'size', amount, leverageBps } };
}
