import { constants, type LeverageBps, raw, type UsdPips } from '@core/pricing';
import { checkName, InputError } from '../errors/inputError.ts';
import { checkKnown } from '../errors/knownOptions.ts';
import type { QuoteRequest } from '../generated/resources.ts';
import { leverageBpsOf, leverageNumberOf, usdPipsOf } from '../money/amounts.ts';

/** Order of a caller. */
export interface QuoteOrder {
  readonly ticker: string;
  readonly side: 'yes' | 'no';
  /** Leverage as decimal text, '2' to '10' in steps of '0.25', or a quantity. */
  readonly leverage: string | LeverageBps;
  /** Notional as decimal text in dollars with up to four decimals, or in pips. */
  readonly notionalUsd: string | UsdPips;
  /** Tolerated shortfall of tokens: 100 to 1,000 basis points, 500 by default. */
  readonly slippageBps?: number;
  /** True lets the service lower size or leverage instead of refusing. */
  readonly allowRevision?: boolean;
  /** True lets the position open with a part of its size. */
  readonly allowPartialFill?: boolean;
  /** Minimum fill, 2,000 to 5,000 basis points; only with `allowPartialFill`. */
  readonly minFillBps?: number;
}

/** Default slippage of an order. */
const defaultSlippageBps = Number(raw(constants.defaultSlippageBps));

const orderOptions = [
  'ticker',
  'side',
  'leverage',
  'notionalUsd',
  'slippageBps',
  'allowRevision',
  'allowPartialFill',
  'minFillBps',
] as const satisfies readonly (keyof QuoteOrder)[];
const requestFields = [
  'market_ticker',
  'effective_side',
  'leverage_bps',
  'notional_amount_usd_pips',
  'slippage_bps',
  'allow_revision',
  'allow_partial_fill',
  'min_fill_bps',
] as const satisfies readonly (keyof QuoteRequest)[];

/** Order with the names of this client, or the request body of the interface, such as `suggested` of an error. */
export type AnyQuoteOrder = QuoteOrder | QuoteRequest;

/**
 * Return the request body of a quote or draft.
 *
 * @throws InputError for an unknown or missing field, and for an amount that is neither decimal text nor a quantity.
 */
export function quoteRequestOf(order: AnyQuoteOrder): QuoteRequest {
  if (isRequest(order)) {
    checkKnown('order', order, { known: requestFields });
    return order;
  }
  checkKnown('order', order, { known: orderOptions, hints: { slippage: 'Give `slippageBps`: 500 is 5 %.' } });
  return bodyOf(order);
}

/** Callers without types may give anything: only the body of the interface has this field. */
const isRequest = (order: AnyQuoteOrder): order is QuoteRequest => Object.hasOwn(Object(order), 'market_ticker');

function bodyOf(order: QuoteOrder): QuoteRequest {
  const { ticker, side }: { readonly ticker: unknown; readonly side: unknown } = order;
  checkName('ticker', ticker, 'market');
  if (side !== 'yes' && side !== 'no') {
    throw new InputError('side', side, `\`side\` must be 'yes' or 'no', not ${JSON.stringify(side)}.`);
  }
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
