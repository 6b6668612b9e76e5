import type { Position } from '@core/sdk';

const statusTexts: Readonly<Record<Position['status'], string>> = {
  pending: 'Waiting for its order to be filled',
  open: 'Open',
  unwinding: 'Debt is being reduced',
  closing: 'Being sold',
  settling: 'Waiting for the market’s result',
  closed: 'Closed',
  settled: 'Settled',
  liquidated: 'Liquidated',
  cancelled: 'Cancelled',
};

/** Why an opening ended without a position. */
const failureTexts: Readonly<Record<NonNullable<Position['failure']>['reason'], string>> = {
  order_not_filled: 'not enough was sold at the price of the quote in time',
  floor_missed: 'too little of it could be bought',
  price_moved: 'the price had moved away',
  minimum_tokens_unreachable: 'the minimum of tokens wanted a better price than the quote had',
  venue_fee_too_small: 'the fee set aside was smaller than the venue takes',
  liquidation_price_too_high: 'its liquidation price would have been too close to the price',
  liquidity_insufficient: 'too little was offered',
  price_unavailable: 'no price was confirmed in time',
  pool_limit_reached: 'the pool could not lend as much',
  opening_paused: 'the vault takes no new positions',
  market_closed: 'the market takes no new positions any more',
  market_resolved: 'the market was resolved before',
  venue_rejected: 'the venue refused the order',
  ghost_fill: 'the venue reported a fill that did not happen',
  order_not_allowed: 'no order was allowed',
};

/** The state of a position in words; one that failed says why, and that nothing was lost. */
export function statusText({ status, failure }: Pick<Position, 'status' | 'failure'>): string {
  if (failure === null) return statusTexts[status];
  return `${statusTexts[status]}: ${failureTexts[failure.reason]}. Everything was refunded.`;
}
