import type { Position } from '@core/sdk';

const statusTexts: Readonly<Record<Position['status'], string>> = {
  pending: 'Waiting for the fill',
  open: 'Open',
  unwinding: 'Reducing debt',
  closing: 'Selling',
  settling: 'Waiting for settlement',
  closed: 'Closed',
  settled: 'Settled',
  liquidated: 'Liquidated',
  cancelled: 'Cancelled',
};

/** Reason of each failure that ended an opening without a position. */
const failureTexts: Readonly<Record<NonNullable<Position['failure']>['reason'], string>> = {
  order_not_filled: 'the order was not filled in time',
  floor_missed: 'too little could be bought',
  price_moved: 'the price moved',
  minimum_tokens_unreachable: 'the minimum number of tokens needed a better price than the quote',
  venue_fee_too_small: 'the venue fee was higher than quoted',
  liquidation_price_too_high: 'the liquidation price would have been too close',
  liquidity_insufficient: 'too little liquidity',
  price_unavailable: 'no price was confirmed in time',
  pool_limit_reached: 'the pool could not lend that much',
  opening_paused: 'openings are paused',
  market_closed: 'the market had closed',
  market_resolved: 'the market had been resolved',
  venue_rejected: 'the venue rejected the order',
  ghost_fill: 'the venue reported a fill that did not happen',
  transaction_not_mined: 'the order was not confirmed on chain in time',
  order_not_allowed: 'no order was authorised',
};

/** Return the state of a position in words. A failed one states the reason and that nothing was lost. */
export function statusText({ status, failure }: Pick<Position, 'status' | 'failure'>): string {
  if (failure === null) return statusTexts[status];
  return `${statusTexts[status]}: ${failureTexts[failure.reason]}. Everything was refunded.`;
}
