import type { ErrorDefinition } from './definition.ts';

const badRequest = { status: 400, type: 'INVALID_REQUEST_ERROR', params: {} } as const;
const missing = { status: 404 } as const;

// Defaults of each group. Routes name groups, so a new code reaches every route of its group.
const plain = { ...badRequest, clause: 'Errors, Non-quote codes' } as const;
const everyRoute = { ...plain, group: 'everyRoute' } as const;
const idempotency = { ...plain, group: 'idempotency' } as const;
const route = { ...plain, group: 'route' } as const;
const eligibility = { ...badRequest, group: 'eligibility', clause: 'Errors, Quote codes, Market eligibility' } as const;
const size = { ...badRequest, group: 'size', clause: 'Errors, Quote codes, Leverage and size validation' } as const;
const quality = { ...badRequest, group: 'quality', clause: 'Errors, Quote codes, Market quality' } as const;
const capacity = { ...quality, group: 'capacity' } as const;
const positionLimit = {
  ...badRequest,
  group: 'positionLimit',
  clause: 'Errors, Quote codes, Position-count limits',
} as const;
const capitalLimit = {
  ...badRequest,
  group: 'capitalLimit',
  clause: 'Errors, Quote codes, Borrowed-capital limits',
} as const;
const partialOpen = {
  ...badRequest,
  group: 'partialOpen',
  clause: 'Errors, Quote codes, Partial-open validation',
} as const;
const otherQuote = { ...badRequest, group: 'otherQuote', clause: 'Errors, Quote codes, Other' } as const;
const revision = { ...badRequest, group: 'revision' } as const;

const selectorParams = {
  max_supported_collateral_usd_pips: 'UsdPips',
  min_notional_usd_pips: 'UsdPips',
  slippage_max_usd_pips: 'UsdPips',
} as const;
const ageParams = { last_update_age_ms: 'number', market_id: 'text' } as const;
const positionLimitParams = {
  available_capacity_usd_pips: 'UsdPips',
  current_notional_usd_pips: 'UsdPips',
  limit_usd_pips: 'UsdPips',
} as const;
const capitalParams = {
  available_borrowed_usdc_units: 'UsdcUnits',
  available_collateral_usdc_units: 'UsdcUnits?',
  available_notional_usdc_units: 'UsdcUnits?',
  cap_usdc_units: 'UsdcUnits',
  current_borrowed_usdc_units: 'UsdcUnits',
  requested_borrowed_usdc_units: 'UsdcUnits',
} as const;

/**
 * Table of all error codes. Status, type, retry advice, params, eligibility twin and message of a code are defined here
 * only; types, wire schemas, the OpenAPI document and the pages under `docs/errors` derive from it. Params keep the
 * order and the spelling of the specification's table of hints.
 */
export const errorTable = {
  // Every route.
  invalid_request: {
    ...everyRoute,
    retry: 'changed',
    message: 'The request does not have the documented form. Correct the field that is named and send it again.',
    clause: 'Conventions (house code)',
  },
  not_found: {
    ...route,
    ...missing,
    retry: 'never',
    message: 'Nothing exists at this address for this caller. Check the method, the path and the identifier.',
    clause: 'Endpoints (house code; promotion answers 404 without a code of its own)',
  },
  idempotency_key_reused: {
    ...idempotency,
    retry: 'changed',
    message: 'This Idempotency-Key was used with a different request. Use a new key for a new request.',
    clause: 'Conventions (house code)',
  },
  request_already_in_progress: {
    ...idempotency,
    status: 409,
    type: 'INVALID_REQUEST_ERROR',
    retry: 'backoff',
    message: 'A request with this Idempotency-Key is still running. Repeat it after one second, then back off.',
  },
  internal_server_error: {
    ...everyRoute,
    status: 500,
    transientStatus: 503,
    type: 'API_ERROR',
    retry: 'backoff',
    message: 'The service failed to answer. Repeat the same request with exponential backoff.',
    clause: 'Errors, types',
  },
  too_many_requests: {
    ...everyRoute,
    status: 429,
    type: 'RATE_LIMIT_ERROR',
    retry: 'backoff',
    message: 'Too many requests. Wait for the number of seconds in the Retry-After header.',
    clause: 'Limits',
  },
  unauthorized: {
    ...route,
    status: 401,
    type: 'AUTHENTICATION_ERROR',
    retry: 'never',
    message:
      'The credential is missing, malformed, unknown, revoked, expired, or of another kind or environment; ' +
      'the message of an answer says which. Send the documented Authorization header.',
    clause: 'Authentication, rule 6',
  },
  customer_auth_invalid_wallet_address: {
    ...route,
    fields: ['wallet_address'],
    retry: 'never',
    message: 'The wallet address is neither an EVM address nor a Solana public key. Check its form and its checksum.',
  },
  customer_market_not_found: {
    ...route,
    ...missing,
    fields: ['ticker', 'market_ticker'],
    retry: 'never',
    message: 'No market has this ticker. Take tickers from the market list.',
  },
  customer_event_not_found: {
    ...route,
    ...missing,
    fields: ['event_ticker'],
    retry: 'never',
    message: 'No event has this ticker. Take it from `event.ticker` of a market.',
  },
  customer_series_not_found: {
    ...route,
    ...missing,
    fields: ['series_ticker'],
    retry: 'never',
    message: 'No series has this ticker. Take it from `event.series_ticker` of a market.',
  },
  customer_position_not_found: {
    ...route,
    ...missing,
    fields: ['position_id'],
    retry: 'never',
    message: 'This wallet has no position with this ID. Take IDs from the position list.',
  },
  customer_position_transactions_not_found: {
    ...route,
    ...missing,
    fields: ['position_id'],
    retry: 'never',
    message: 'This wallet has no position with this ID. Take IDs from the position list.',
  },

  // Quotes: market eligibility.
  quote_market_not_eligible: {
    ...eligibility,
    retry: 'never',
    message: 'This market is not offered with leverage. Choose one whose `accepting_new_positions` is true.',
  },
  quote_market_not_ready: {
    ...eligibility,
    retry: 'later',
    message: 'The first book or risk reading of this market has not arrived yet. Ask again in a few seconds.',
  },
  quote_market_not_active: {
    ...eligibility,
    retry: 'never',
    eligibility: 'QUOTE_MARKET_NOT_ACTIVE',
    message: 'This market no longer trades. Choose one whose `status` is `active`.',
  },
  quote_market_risk_too_high: {
    ...eligibility,
    retry: 'later',
    eligibility: 'QUOTE_MARKET_RISK_TOO_HIGH',
    message: 'The risk of this market is too high for new positions now. Watch its eligibility or choose another.',
  },
  quote_market_unsupported_category: {
    ...eligibility,
    retry: 'never',
    eligibility: 'QUOTE_MARKET_UNSUPPORTED_CATEGORY',
    message: 'Only markets of the categories `crypto` and `sport` are offered. Choose one of those.',
  },
  quote_market_unsupported_crypto_asset: {
    ...eligibility,
    retry: 'never',
    eligibility: 'QUOTE_MARKET_UNSUPPORTED_CRYPTO_ASSET',
    message: 'There is no price feed for the asset behind this market. Choose another market.',
  },
  quote_event_not_started: {
    ...eligibility,
    retry: 'never',
    eligibility: 'QUOTE_EVENT_NOT_STARTED',
    message: 'This kind of market takes no entries before its event starts. Ask for a new quote after the start.',
  },
  quote_trading_window_closing: {
    ...eligibility,
    retry: 'never',
    eligibility: 'QUOTE_TRADING_WINDOW_CLOSING',
    message: 'The time for new positions is over: see `latest_enter_at`. Choose a market that ends later.',
  },
  risk_engine_market_closed: {
    ...eligibility,
    retry: 'never',
    message: 'The closing time of this market has passed. Choose another market.',
  },
  risk_engine_market_disabled: {
    ...eligibility,
    retry: 'never',
    params: { reason: 'text?' },
    eligibility: 'RISK_ENGINE_MARKET_DISABLED',
    message: 'An operator has disabled this market. Choose another market.',
  },
  risk_engine_market_settlement_detected: {
    ...eligibility,
    retry: 'never',
    message: 'This market is being resolved. Choose another market.',
  },
  circuit_breaker_price_divergence_tripped: {
    ...eligibility,
    retry: 'later',
    message: 'Two price sources of this market disagree, so opening is stopped. Ask again when they agree.',
  },
  quote_venue_market_closed: {
    ...eligibility,
    retry: 'never',
    message: 'The venue has closed this market. Choose another market.',
  },
  quote_venue_market_inactive: {
    ...eligibility,
    retry: 'never',
    message: 'The venue lists this market as inactive. Choose another market.',
  },
  quote_venue_market_not_accepting_orders: {
    ...eligibility,
    retry: 'later',
    message: 'The venue takes no orders for this market now. Ask again later or choose another market.',
  },
  quote_venue_missing_token: {
    ...eligibility,
    retry: 'never',
    message: 'The venue gives no token for this side of the market. Choose another market.',
  },
  quote_market_missing_venue_condition_id: {
    ...eligibility,
    retry: 'never',
    message: 'The venue gives no condition ID for this market. Choose another market.',
  },
  quote_liquidation_not_viable: {
    ...eligibility,
    retry: 'changed',
    params: {
      entry_price_usd_pips: 'PricePips',
      liquidation_price_usd_pips: 'PricePips',
      min_tolerance_pct_bps: 'RateBps',
      side: 'Side',
    },
    message: 'The liquidation price would lie too close to the entry price. Lower the leverage or the slippage.',
  },
  quote_creation_disabled: {
    ...eligibility,
    status: 503,
    type: 'API_ERROR',
    retry: 'later',
    message: 'Quotes are paused. Try again in a moment.',
  },

  // Quotes: leverage and size.
  quote_leverage_below_minimum: {
    ...size,
    fields: ['leverage_bps'],
    retry: 'changed',
    params: { current_book_leverage_bps: 'LeverageBps', min_leverage_bps: 'LeverageBps' },
    message: 'The leverage is below the minimum. Raise it to `min_leverage_bps`.',
  },
  quote_leverage_exceeds_maximum: {
    ...size,
    fields: ['leverage_bps'],
    retry: 'changed',
    params: { current_book_leverage_bps: 'LeverageBps', max_leverage_bps: 'LeverageBps' },
    message: 'The leverage is above the maximum for this size. Lower it to `max_leverage_bps`.',
  },
  quote_leverage_exceeds_model_max: {
    ...size,
    fields: ['leverage_bps'],
    retry: 'changed',
    params: { current_book_leverage_bps: 'LeverageBps', max_leverage_bps: 'LeverageBps' },
    message: 'The leverage is above what the risk model allows now. Lower it to `max_leverage_bps`.',
  },
  quote_leverage_exceeds_collateral_floor: {
    ...size,
    fields: ['notional_amount_usd_pips'],
    retry: 'changed',
    params: {
      current_book_leverage_bps: 'LeverageBps',
      current_collateral_usd_pips: 'UsdPips',
      max_leverage_bps: 'LeverageBps',
      min_collateral_usd_pips: 'UsdPips',
    },
    message: 'The collateral is below the minimum. Raise the notional so that collateral reaches the minimum.',
  },
  quote_notional_below_minimum: {
    ...size,
    fields: ['notional_amount_usd_pips'],
    retry: 'changed',
    params: { min_notional_usd_pips: 'UsdPips', requested_notional_usd_pips: 'UsdPips' },
    message: 'The notional is below the minimum of this market. Raise it to `min_notional_usd_pips`.',
  },
  quote_leverage_too_high_for_price: {
    ...size,
    fields: ['leverage_bps'],
    retry: 'changed',
    params: {
      current_book_leverage_bps: 'LeverageBps',
      entry_price_usd_pips: 'PricePips',
      max_acceptable_leverage_bps: 'LeverageBps',
      minimum_buffer_usd_pips: 'PricePips',
    },
    message:
      'This leverage would be liquidated at once at this price. The most you can use is `max_acceptable_leverage_bps`.',
  },
  quote_price_too_low: {
    ...size,
    retry: 'later',
    message: 'The price is too low for even the smallest leverage. Choose the other side or another market.',
  },
  quote_max_leverage_too_low: {
    ...size,
    retry: 'later',
    params: { max_leverage_bps: 'LeverageBps', min_leverage_bps: 'LeverageBps' },
    eligibility: 'QUOTE_MAX_LEVERAGE_TOO_LOW',
    message: 'The highest leverage offered now is below the tradable minimum. Try a smaller notional or wait.',
  },

  // Quotes: market quality.
  quote_entry_depth_too_low: {
    ...quality,
    retry: 'changed',
    params: { current_depth_usd_pips: 'UsdPips', min_depth_usd_pips: 'UsdPips' },
    eligibility: 'QUOTE_ENTRY_DEPTH_TOO_LOW',
    message: 'Too little is offered near the best ask for this size. Lower the notional or wait.',
  },
  quote_entry_bid_depth_too_low: {
    ...quality,
    retry: 'changed',
    params: { current_bid_depth_usd_pips: 'UsdPips', threshold_usd_pips: 'UsdPips' },
    eligibility: 'QUOTE_ENTRY_BID_DEPTH_TOO_LOW',
    message: 'Too little is bid near the best bid to leave a position of this size. Lower the notional or wait.',
  },
  quote_entry_book_one_sided: {
    ...quality,
    retry: 'later',
    eligibility: 'QUOTE_ENTRY_BOOK_ONE_SIDED',
    message: 'The book has only one side. Ask again when both sides are quoted.',
  },
  quote_entry_price_out_of_range: {
    ...quality,
    retry: 'later',
    params: {
      current_price_usd_pips: 'PricePips',
      max_price_usd_pips: 'PricePips',
      min_price_usd_pips: 'PricePips',
    },
    eligibility: 'QUOTE_ENTRY_PRICE_OUT_OF_RANGE',
    message: 'The price lies outside the range in which positions are opened. Choose another side or market.',
  },
  quote_entry_spread_too_wide: {
    ...quality,
    retry: 'later',
    params: { current_spread_usd_pips: 'PricePips', max_spread_usd_pips: 'PricePips' },
    eligibility: 'QUOTE_ENTRY_SPREAD_TOO_WIDE',
    message: 'The spread is too wide. Ask again when it has narrowed.',
  },
  quote_entry_order_book_stale: {
    ...quality,
    retry: 'later',
    params: ageParams,
    message: 'The order book is out of date. Ask again in a few seconds.',
  },
  quote_entry_price_stale: {
    ...quality,
    retry: 'later',
    params: ageParams,
    message: 'The market price is out of date. Ask again in a few seconds.',
  },
  quote_entry_crypto_price_stale: {
    ...quality,
    retry: 'later',
    params: ageParams,
    message: 'The price of the underlying asset is out of date. Ask again in a few seconds.',
  },
  quote_entry_sport_data_stale: {
    ...quality,
    retry: 'later',
    params: ageParams,
    message: 'The state of the game is out of date. Ask again when the feed is back.',
  },
  quote_entry_excluded_market_type: {
    ...quality,
    retry: 'never',
    params: { market_type: 'text' },
    eligibility: 'QUOTE_ENTRY_EXCLUDED_MARKET_TYPE',
    message: 'This type of market is not offered with leverage. Choose another market.',
  },
  quote_entry_excluded_sport: {
    ...quality,
    retry: 'never',
    params: { sport: 'text' },
    eligibility: 'QUOTE_ENTRY_EXCLUDED_SPORT',
    message: 'This sport is not offered with leverage. Choose another market.',
  },
  quote_entry_market_too_elapsed: {
    ...quality,
    retry: 'never',
    params: { max_pct_elapsed: 'number', pct_elapsed: 'number' },
    eligibility: 'QUOTE_ENTRY_MARKET_TOO_ELAPSED',
    message: 'Too much of the event has passed for new positions. Choose another market.',
  },
  quote_entry_top_holder_too_high: {
    ...quality,
    retry: 'later',
    eligibility: 'QUOTE_ENTRY_TOP_HOLDER_TOO_HIGH',
    message: 'One account holds too large a share of this token. Choose another market.',
  },
  quote_entry_volume_too_low: {
    ...quality,
    retry: 'later',
    params: { current_volume24h_usd_pips: 'UsdPips', min_volume24h_usd_pips: 'UsdPips' },
    eligibility: 'QUOTE_ENTRY_VOLUME_TOO_LOW',
    message: 'Too little was traded in the last 24 hours. Choose a busier market.',
  },
  quote_twap_data_unavailable: {
    ...quality,
    retry: 'later',
    message: 'There are too few recent prices for an average. Ask again in a few seconds.',
  },
  quote_twap_data_stale: {
    ...quality,
    retry: 'later',
    message: 'The last price used for the average is too old. Ask again in a few seconds.',
  },
  notional_selector_insufficient_liquidity: {
    ...quality,
    retry: 'changed',
    params: selectorParams,
    message: 'The book cannot fill the part this request needs. Retry with a smaller notional.',
  },
  notional_selector_below_min_notional: {
    ...quality,
    retry: 'never',
    params: selectorParams,
    eligibility: 'NOTIONAL_SELECTOR_BELOW_MIN_NOTIONAL',
    message: 'The book cannot fill even the smallest position on this side now. Choose the other side or market.',
  },
  notional_selector_empty_order_book: {
    ...quality,
    retry: 'later',
    message: 'Nothing is offered on this side of the book. Ask again when there are asks.',
  },
  notional_selector_pregame_insufficient_liquidity: {
    ...quality,
    retry: 'later',
    params: selectorParams,
    eligibility: 'NOTIONAL_SELECTOR_PREGAME_INSUFFICIENT_LIQUIDITY',
    message: 'Before the event starts the book cannot fill the smallest position. Ask again nearer the start.',
  },
  quote_side_capacity_exceeded: {
    ...capacity,
    retry: 'changed',
    params: {
      available_capacity_usd_pips: 'UsdPips',
      max_supported_collateral_usd_pips: 'UsdPips',
      min_notional_usd_pips: 'UsdPips',
    },
    eligibility: 'QUOTE_SIDE_CAPACITY_EXCEEDED',
    message: 'This side has less room than the request needs. Lower the collateral to the supported maximum.',
  },

  // Quotes: limits on notional.
  quote_user_position_limit_exceeded: {
    ...positionLimit,
    retry: 'changed',
    params: positionLimitParams,
    message: 'The wallet would exceed its limit. Lower the notional to `available_capacity_usd_pips`.',
  },
  quote_market_position_limit_exceeded: {
    ...positionLimit,
    retry: 'changed',
    params: positionLimitParams,
    message: 'The market would exceed its limit. Lower the notional to `available_capacity_usd_pips`.',
  },
  quote_side_position_limit_exceeded: {
    ...positionLimit,
    retry: 'changed',
    params: positionLimitParams,
    message: 'This side would exceed its limit. Lower the notional to `available_capacity_usd_pips`.',
  },
  quote_global_position_limit_exceeded: {
    ...positionLimit,
    retry: 'changed',
    params: positionLimitParams,
    message: 'The service would exceed its limit. Lower the notional to `available_capacity_usd_pips`.',
  },
  quote_partner_position_limit_exceeded: {
    ...positionLimit,
    retry: 'changed',
    params: {
      ...positionLimitParams,
      active_notional_usd_pips: 'UsdPips',
      in_flight_notional_usd_pips: 'UsdPips',
    },
    message: 'The partner would exceed its limit. Lower the notional to `available_capacity_usd_pips`.',
  },

  // Quotes: limits on borrowed capital.
  quote_user_capital_exceeded: {
    ...capitalLimit,
    retry: 'changed',
    params: capitalParams,
    message: 'The wallet would borrow more than its cap. Lower the notional to the available one, or the leverage.',
  },
  quote_market_capital_exceeded: {
    ...capitalLimit,
    retry: 'changed',
    params: capitalParams,
    message: 'The market would borrow more than its cap. Lower the notional to the available one, or the leverage.',
  },
  quote_side_capital_exceeded: {
    ...capitalLimit,
    retry: 'changed',
    params: capitalParams,
    message: 'This side would borrow more than its cap. Lower the notional to the available one, or the leverage.',
  },
  quote_total_capital_exceeded: {
    ...capitalLimit,
    retry: 'changed',
    params: capitalParams,
    message: 'The pool cannot lend this much now. Lower the notional to the available one, or the leverage.',
  },

  // Quotes: partial-open.
  quote_min_fill_bps_requires_fak: {
    ...partialOpen,
    fields: ['min_fill_bps'],
    retry: 'changed',
    message: '`min_fill_bps` is only allowed together with `allow_partial_fill: true`. Add the one or drop the other.',
  },
  quote_min_fill_bps_out_of_range: {
    ...partialOpen,
    fields: ['min_fill_bps'],
    retry: 'changed',
    params: { min_fill_bps: 'RateBps', absolute_min_bps: 'RateBps', max_bps: 'RateBps' },
    message: '`min_fill_bps` lies outside its range. Choose a value between `absolute_min_bps` and `max_bps`.',
  },
  quote_min_fill_bps_step_invalid: {
    ...partialOpen,
    fields: ['min_fill_bps'],
    retry: 'changed',
    params: { min_fill_bps: 'RateBps', step_bps: 'RateBps' },
    message: '`min_fill_bps` must be a multiple of `step_bps`. Round it to one.',
  },
  quote_min_fill_bps_below_floor: {
    ...partialOpen,
    fields: ['min_fill_bps'],
    retry: 'changed',
    params: {
      min_fill_bps: 'RateBps',
      floor_min_fill_bps: 'RateBps',
      bound_by: 'FillBound',
      requested_collateral_usd_pips: 'UsdPips',
      requested_notional_usd_pips: 'UsdPips',
    },
    message: 'The smallest allowed fill would fall under a minimum. Raise `min_fill_bps` or the notional.',
  },

  // Quotes: other.
  quote_slippage_too_high: {
    ...otherQuote,
    fields: ['slippage_bps'],
    retry: 'changed',
    params: { current_slippage_bps: 'RateBps', max_slippage_bps: 'RateBps' },
    message: 'The price has moved or the book is too thin for the allowed slippage. Raise it or wait.',
  },
  quote_invalid_venue_wallet_address: {
    ...otherQuote,
    retry: 'never',
    message: 'Quotes need a valid EVM wallet address. Create a token for an EVM wallet.',
  },
  QUOTE_REVISION_REQUIRED: {
    ...revision,
    retry: 'changed',
    params: {
      revision: 'Revision',
      requested_leverage_bps: 'LeverageBps',
      requested_notional_usd_pips: 'UsdPips',
      acceptable_leverage_bps: 'LeverageBps',
      acceptable_notional_usd_pips: 'UsdPips',
      acceptable_collateral_usdc_units: 'UsdcUnits',
    },
    message: 'The request must shrink to be accepted. Resubmit the acceptable values or set `allow_revision: true`.',
    clause: 'Endpoints, Quotes, Quote revision rules 1',
  },
  LIQUIDITY_INSUFFICIENT: {
    ...revision,
    retry: 'later',
    message: 'No size and leverage of at least 1.5x clears now. Wait for a deeper book or choose another market.',
    clause: 'Endpoints, Quotes, Quote revision rules 2',
  },
} as const satisfies Record<string, ErrorDefinition>;
