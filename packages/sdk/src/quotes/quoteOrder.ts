import { type LeverageBps, raw, type UsdPips } from '@core/pricing';
import type { QuoteRequest } from '../generated/resources.ts';
import { leverageBpsOf, leverageNumberOf, usdPipsOf } from '../money/amounts.ts';

/** What a caller wants to open. */
export interface QuoteOrder {
  readonly ticker: string;
  readonly side: 'yes' | 'no';
  /** A multiple as decimal text, '2' to '10' in steps of '0.25', or a quantity. */
  readonly leverage: string | LeverageBps;
  /** Dollars as decimal text with up to four decimals, or pips. */
  readonly notionalUsd: string | UsdPips;
  /** How much fewer tokens than expected are accepted: 100 to 1,000 basis points, 500 where none is given. */
  readonly slippageBps?: number;
  /** Lets the service lower size or leverage instead of refusing. */
  readonly allowRevision?: boolean;
  /** Lets the position open at a part of its size. */
  readonly allowPartialFill?: boolean;
  /** The smallest part, 2,000 to 5,000 basis points; only with `allowPartialFill`. */
  readonly minFillBps?: number;
}

/** Slippage of an order that names none. */
const defaultSlippageBps = 500;

/** The body of a quote or draft. @throws TypeError when an amount is neither decimal text nor a quantity. */
export function quoteRequestOf(order: QuoteOrder): QuoteRequest {
  return {
    market_ticker: order.ticker,
    effective_side: order.side,
    leverage_bps: leverageNumberOf(leverageBpsOf('leverage', order.leverage)),
    notional_amount_usd_pips: String(raw(usdPipsOf('notionalUsd', order.notionalUsd))),
    slippage_bps: order.slippageBps ?? defaultSlippageBps,
    ...(order.allowRevision !== undefined && { allow_revision: order.allowRevision }),
    ...(order.allowPartialFill !== undefined && { allow_partial_fill: order.allowPartialFill }),
    ...(order.minFillBps !== undefined && { min_fill_bps: order.minFillBps }),
  };
}
