import { keysOf } from '../keysOf.ts';

/** Reasons for which an opening ends without a position, as `failure.reason` shows them, each with its sentence. */
export const openingFailures = {
  order_not_filled: 'The order found no counterparty in time.',
  price_moved: 'The price went past what the minimum tokens allow.',
  minimum_tokens_unreachable: 'The minimum tokens wanted a better price than the quote had.',
  venue_fee_too_small: "The budget for the venue's fee did not cover the order.",
  liquidation_price_too_high: 'The liquidation price would have been above its maximum, or too close to the price.',
  floor_missed: 'Less than the smallest part that was allowed could be bought.',
  liquidity_insufficient: 'The book had too little to buy.',
  price_unavailable: 'No price was confirmed in time.',
  pool_limit_reached: 'The pool could not lend as much.',
  opening_paused: 'Openings were paused.',
  market_closed: 'The market took no more openings.',
  market_resolved: 'The market was resolved, or about to be.',
  venue_rejected: 'The venue refused the order.',
  ghost_fill: 'The match failed when it was settled.',
  transaction_not_mined: 'The transaction with the order was in no block in time.',
  order_not_allowed: 'No order was allowed for another reason.',
} as const;

export type OpeningFailureReason = keyof typeof openingFailures;

export const openingFailureReasons: readonly OpeningFailureReason[] = keysOf(openingFailures);
