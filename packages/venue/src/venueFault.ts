/** What a caller does about a fault: try again later, give up on this request, or stop until a person has looked. */
export type VenueFaultDisposition = 'retryable' | 'terminal' | 'frozen';

export type VenueFaultCode =
  | 'venue_restarting'
  | 'venue_throttled'
  | 'venue_unavailable'
  | 'venue_unreachable'
  | 'venue_timeout'
  | 'venue_answer_malformed'
  | 'venue_paused'
  | 'market_not_ready'
  | 'market_closed'
  | 'book_not_found'
  | 'not_found'
  | 'order_not_filled'
  | 'order_duplicated'
  | 'order_not_inserted'
  | 'order_below_minimum_size'
  | 'order_off_tick'
  | 'order_expired'
  | 'order_signature_invalid'
  | 'order_fee_invalid'
  | 'order_invalid'
  | 'balance_too_low'
  | 'credentials_refused'
  | 'account_restricted'
  | 'request_invalid';
