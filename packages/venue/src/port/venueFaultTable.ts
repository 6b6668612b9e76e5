import type { FaultKind } from '@core/errors';

/** Code of an upstream failure in the service's own words. Assert on these, never on messages. */
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
  | 'list_refused'
  | 'not_found'
  | 'order_not_filled'
  | 'order_delayed'
  | 'order_duplicated'
  | 'order_not_inserted'
  | 'order_below_minimum_size'
  | 'order_off_tick'
  | 'order_expired'
  | 'order_signature_invalid'
  | 'order_fee_invalid'
  | 'order_invalid'
  | 'order_amounts_invalid'
  | 'order_version_mismatch'
  | 'balance_too_low'
  | 'credentials_refused'
  | 'maker_refused'
  | 'account_restricted'
  | 'openings_refused'
  | 'request_invalid'
  | 'venue_fault_unknown';

/**
 * Effect that a failed request may have had at the venue. `no`: it certainly had none, and a POST may be sent again as
 * it is. `maybe`: read the order by its hash before anything else. `yes`: the venue has the order.
 */
export type VenueFaultEffect = 'no' | 'maybe' | 'yes';

/** Refusals that one entry of the table answers to, and what they mean. */
export interface VenueFaultRule {
  readonly code: VenueFaultCode;
  readonly kind: FaultKind;
  readonly effect: VenueFaultEffect;
  /** HTTP statuses the rule answers to; absent: any. */
  readonly statuses?: readonly number[];
  /** Lower-case pieces of upstream text, any one of which selects the rule; absent: status alone decides. */
  readonly texts?: readonly string[];
}

/**
 * Table from upstream texts to typed faults. The first rule that matches wins, so texts precede bare statuses: the
 * venue answers 400 and even 200 for most refusals and only the text distinguishes them. Nowhere else in the tree is
 * upstream text matched.
 */
export const venueFaultRules: readonly VenueFaultRule[] = [
  // The weekly restart and throttling come first: their bodies may be anything, a proxy's page included.
  { code: 'venue_restarting', kind: 'retryable', effect: 'no', statuses: [425] },
  { code: 'venue_throttled', kind: 'retryable', effect: 'no', statuses: [429] },
  { code: 'venue_throttled', kind: 'retryable', effect: 'no', texts: ['too many requests', 'rate limit'] },
  { code: 'venue_restarting', kind: 'retryable', effect: 'no', texts: ['service not ready', 'restarting'] },
  // A resting order that would cross is refused for its own sake; the words of the mode below are in its text too.
  { code: 'order_invalid', kind: 'terminal', effect: 'no', texts: ['order crosses book'] },
  {
    code: 'venue_paused',
    kind: 'retryable',
    effect: 'no',
    texts: ['trading is currently disabled', 'cancel-only', 'trading is paused', 'post-only', 'post_only_mode'],
  },

  // Refusals of an order.
  { code: 'order_delayed', kind: 'retryable', effect: 'maybe', texts: ['match delayed', 'order delayed'] },
  { code: 'order_duplicated', kind: 'terminal', effect: 'yes', texts: ['duplicated', 'already been placed'] },
  {
    code: 'order_not_filled',
    kind: 'terminal',
    effect: 'no',
    texts: [
      'fok_order_not_filled',
      "couldn't be fully filled",
      'could not be fully filled',
      'fully filled or killed',
      'fully filled/killed',
      'no orders found to match',
      'no matching orders',
      'no match is found',
    ],
  },
  {
    code: 'order_below_minimum_size',
    kind: 'terminal',
    effect: 'no',
    texts: ['order_min_size', 'lower than the minimum', 'minimum order size', 'min size'],
  },
  {
    code: 'order_amounts_invalid',
    kind: 'terminal',
    effect: 'no',
    texts: ['invalid amounts', 'max accuracy'],
  },
  { code: 'order_version_mismatch', kind: 'terminal', effect: 'no', texts: ['order_version_mismatch'] },
  {
    code: 'order_off_tick',
    kind: 'terminal',
    effect: 'no',
    texts: ['tick_size', 'tick size', 'invalid price', 'price must be'],
  },
  {
    code: 'balance_too_low',
    kind: 'terminal',
    effect: 'no',
    texts: [
      'not_enough_balance',
      'not enough balance',
      'balance / allowance',
      'allowance is not enough',
      'balance is not enough',
      'insufficient balance',
    ],
  },
  {
    code: 'order_expired',
    kind: 'terminal',
    effect: 'no',
    texts: ['order_expiration', 'invalid expiration', 'order expired', 'timestamp too old', 'timestamp out of range'],
  },
  {
    code: 'order_signature_invalid',
    kind: 'terminal',
    effect: 'no',
    texts: ['invalid signature', 'invalid order signature', 'signer does not match'],
  },
  {
    code: 'order_fee_invalid',
    kind: 'terminal',
    effect: 'no',
    texts: ['invalid fee rate', 'fee rate bps', 'builder fee'],
  },
  { code: 'market_not_ready', kind: 'retryable', effect: 'no', texts: ['market_not_ready', 'not yet ready'] },
  {
    code: 'market_closed',
    kind: 'terminal',
    effect: 'no',
    texts: ['market is closed', 'market closed', 'not accepting orders', 'market is resolved', 'market resolved'],
  },
  {
    code: 'book_not_found',
    kind: 'terminal',
    effect: 'no',
    texts: ['no orderbook exists', 'orderbook does not exist', 'the orderbook'],
  },
  // The old catalogue list, or one of its offsets: the text names the list to read instead.
  { code: 'list_refused', kind: 'terminal', effect: 'no', texts: ['keyset'] },
  // Faults inside the engine: the order may stand although the answer says it failed.
  {
    code: 'order_not_inserted',
    kind: 'retryable',
    effect: 'maybe',
    texts: [
      'could not insert order',
      'could not run the execution',
      'execution_error',
      'invalid_order_error',
      'delaying_order_error',
      'error delaying the order',
    ],
  },

  // A person has to look: retrying or refunding would both be wrong.
  // Sales continue.
  { code: 'openings_refused', kind: 'terminal', effect: 'no', texts: ['closed only mode', 'closed-only'] },
  {
    code: 'account_restricted',
    kind: 'frozen',
    effect: 'no',
    texts: ['banned', 'restricted', 'geoblock', 'unavailable in your region'],
  },
  {
    code: 'maker_refused',
    kind: 'frozen',
    effect: 'no',
    texts: ['maker address not allowed', 'signer address has to be the address of the api key'],
  },
  {
    code: 'credentials_refused',
    kind: 'frozen',
    effect: 'no',
    texts: [
      'unauthorized',
      'invalid api key',
      'invalid credentials',
      'invalid l1 request headers',
      'owner has to be the owner of the api key',
    ],
  },
  {
    code: 'order_invalid',
    kind: 'terminal',
    effect: 'no',
    texts: ['invalid order', ' is invalid', 'invalid_order'],
  },

  // Bare statuses.
  { code: 'credentials_refused', kind: 'frozen', effect: 'no', statuses: [401] },
  { code: 'account_restricted', kind: 'frozen', effect: 'no', statuses: [403, 451] },
  { code: 'not_found', kind: 'terminal', effect: 'no', statuses: [404, 410] },
  { code: 'venue_timeout', kind: 'retryable', effect: 'maybe', statuses: [408, 504, 522, 524] },
  { code: 'venue_unavailable', kind: 'retryable', effect: 'maybe', statuses: [500, 502, 503, 520, 521, 523, 525, 530] },
  { code: 'request_invalid', kind: 'terminal', effect: 'no', statuses: [400, 405, 409, 411, 413, 414, 415, 422] },
];
