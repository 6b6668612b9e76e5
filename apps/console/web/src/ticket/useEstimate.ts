import { leverageBps, pricePips, usdPips } from '@core/pricing';
import {
  bidOf,
  type DraftQuote,
  type FeeRates,
  type Market,
  midOf,
  type Ticket,
  type TicketQuote,
  ticketOf,
} from '@core/sdk';
import { useMemo } from 'react';
import { amountFault } from '../money.ts';
import { estimateOf } from '../quotes/estimateOf.ts';
import { notionalOf, type TicketOrder } from './ticketOrder.ts';

/** Figures of an order while it is being sized, or the reason why there are none. */
export type Estimate =
  | { readonly quote: TicketQuote; readonly ticket: Ticket; readonly reason: null }
  | { readonly quote: null; readonly ticket: null; readonly reason: string };

const none = (reason: string): Estimate => ({ quote: null, ticket: null, reason });

interface EstimateSource {
  readonly order: TicketOrder;
  readonly rates: FeeRates | undefined;
  /** Draft of the side, for the exit buffer that the service requires above the debt. */
  readonly draft: DraftQuote | undefined;
}

/** Compute the figures of an order at the current ask. */
export function useEstimate(market: Market, { order, rates, draft }: EstimateSource): Estimate {
  const { side, leverageBps: leverage, slippageBps } = order;
  const askPips = market.prices?.[`${side}_ask_price_usd_pips`] ?? null;
  const exitBufferBps = draft?.basis?.exit_buffer_bps ?? 0;
  const notionalPips = notionalOf(order);
  return useMemo(() => {
    if (rates === undefined) return none('Loading fee rates …');
    if (askPips === null) return none('The order book has no asks on this side now.');
    if (notionalPips === null || notionalPips === 0n)
      return none(amountFault(order.amount) ?? 'Enter an amount above 0.');
    const quote = estimateOf({
      feeRates: rates,
      leverageBps: leverageBps(BigInt(leverage)),
      notionalUsdPips: usdPips(notionalPips),
      entryPricePips: pricePips(BigInt(askPips)),
      slippageBps,
      exitBufferBps,
    });
    const prices = { markPricePips: bidOf(market, side), midPricePips: midOf(market, side) };
    return { quote, ticket: ticketOf(quote, { ...prices, feeRates: rates }), reason: null };
  }, [rates, askPips, notionalPips, order.amount, leverage, slippageBps, exitBufferBps, market, side]);
}
