// Written by packages/sdk/generate/main.ts; do not edit.
/** Error type of every code of the service. */
export const errorTypes = {
  invalid_request: 'INVALID_REQUEST_ERROR',
  not_found: 'INVALID_REQUEST_ERROR',
  idempotency_key_reused: 'INVALID_REQUEST_ERROR',
  request_already_in_progress: 'INVALID_REQUEST_ERROR',
  internal_server_error: 'API_ERROR',
  too_many_requests: 'RATE_LIMIT_ERROR',
  unauthorized: 'AUTHENTICATION_ERROR',
  customer_auth_invalid_wallet_address: 'INVALID_REQUEST_ERROR',
  customer_market_not_found: 'INVALID_REQUEST_ERROR',
  customer_event_not_found: 'INVALID_REQUEST_ERROR',
  customer_series_not_found: 'INVALID_REQUEST_ERROR',
  customer_position_not_found: 'INVALID_REQUEST_ERROR',
  customer_position_transactions_not_found: 'INVALID_REQUEST_ERROR',
  quote_market_not_eligible: 'INVALID_REQUEST_ERROR',
  quote_market_not_ready: 'INVALID_REQUEST_ERROR',
  quote_market_not_active: 'INVALID_REQUEST_ERROR',
  quote_market_risk_too_high: 'INVALID_REQUEST_ERROR',
  quote_market_unsupported_category: 'INVALID_REQUEST_ERROR',
  quote_market_unsupported_crypto_asset: 'INVALID_REQUEST_ERROR',
  quote_event_not_started: 'INVALID_REQUEST_ERROR',
  quote_trading_window_closing: 'INVALID_REQUEST_ERROR',
  risk_engine_market_closed: 'INVALID_REQUEST_ERROR',
  risk_engine_market_disabled: 'INVALID_REQUEST_ERROR',
  risk_engine_market_settlement_detected: 'INVALID_REQUEST_ERROR',
  circuit_breaker_price_divergence_tripped: 'INVALID_REQUEST_ERROR',
  quote_venue_market_closed: 'INVALID_REQUEST_ERROR',
  quote_venue_market_inactive: 'INVALID_REQUEST_ERROR',
  quote_venue_market_not_accepting_orders: 'INVALID_REQUEST_ERROR',
  quote_venue_missing_token: 'INVALID_REQUEST_ERROR',
  quote_market_missing_venue_condition_id: 'INVALID_REQUEST_ERROR',
  quote_liquidation_not_viable: 'INVALID_REQUEST_ERROR',
  quote_creation_disabled: 'API_ERROR',
  quote_leverage_below_minimum: 'INVALID_REQUEST_ERROR',
  quote_leverage_exceeds_maximum: 'INVALID_REQUEST_ERROR',
  quote_leverage_exceeds_model_max: 'INVALID_REQUEST_ERROR',
  quote_leverage_exceeds_collateral_floor: 'INVALID_REQUEST_ERROR',
  quote_notional_below_minimum: 'INVALID_REQUEST_ERROR',
  quote_leverage_too_high_for_price: 'INVALID_REQUEST_ERROR',
  quote_price_too_low: 'INVALID_REQUEST_ERROR',
  quote_max_leverage_too_low: 'INVALID_REQUEST_ERROR',
  quote_entry_depth_too_low: 'INVALID_REQUEST_ERROR',
  quote_entry_bid_depth_too_low: 'INVALID_REQUEST_ERROR',
  quote_entry_book_one_sided: 'INVALID_REQUEST_ERROR',
  quote_entry_price_out_of_range: 'INVALID_REQUEST_ERROR',
  quote_entry_spread_too_wide: 'INVALID_REQUEST_ERROR',
  quote_entry_order_book_stale: 'INVALID_REQUEST_ERROR',
  quote_entry_price_stale: 'INVALID_REQUEST_ERROR',
  quote_entry_crypto_price_stale: 'INVALID_REQUEST_ERROR',
  quote_entry_sport_data_stale: 'INVALID_REQUEST_ERROR',
  quote_entry_excluded_market_type: 'INVALID_REQUEST_ERROR',
  quote_entry_excluded_sport: 'INVALID_REQUEST_ERROR',
  quote_entry_market_too_elapsed: 'INVALID_REQUEST_ERROR',
  quote_entry_top_holder_too_high: 'INVALID_REQUEST_ERROR',
  quote_entry_volume_too_low: 'INVALID_REQUEST_ERROR',
  quote_twap_data_unavailable: 'INVALID_REQUEST_ERROR',
  quote_twap_data_stale: 'INVALID_REQUEST_ERROR',
  notional_selector_insufficient_liquidity: 'INVALID_REQUEST_ERROR',
  notional_selector_below_min_notional: 'INVALID_REQUEST_ERROR',
  notional_selector_empty_order_book: 'INVALID_REQUEST_ERROR',
  notional_selector_pregame_insufficient_liquidity: 'INVALID_REQUEST_ERROR',
  quote_side_capacity_exceeded: 'INVALID_REQUEST_ERROR',
  quote_user_position_limit_exceeded: 'INVALID_REQUEST_ERROR',
  quote_market_position_limit_exceeded: 'INVALID_REQUEST_ERROR',
  quote_side_position_limit_exceeded: 'INVALID_REQUEST_ERROR',
  quote_global_position_limit_exceeded: 'INVALID_REQUEST_ERROR',
  quote_partner_position_limit_exceeded: 'INVALID_REQUEST_ERROR',
  quote_user_capital_exceeded: 'INVALID_REQUEST_ERROR',
  quote_market_capital_exceeded: 'INVALID_REQUEST_ERROR',
  quote_side_capital_exceeded: 'INVALID_REQUEST_ERROR',
  quote_total_capital_exceeded: 'INVALID_REQUEST_ERROR',
  quote_min_fill_bps_requires_fak: 'INVALID_REQUEST_ERROR',
  quote_min_fill_bps_out_of_range: 'INVALID_REQUEST_ERROR',
  quote_min_fill_bps_step_invalid: 'INVALID_REQUEST_ERROR',
  quote_min_fill_bps_below_floor: 'INVALID_REQUEST_ERROR',
  quote_slippage_too_high: 'INVALID_REQUEST_ERROR',
  quote_invalid_venue_wallet_address: 'INVALID_REQUEST_ERROR',
  QUOTE_REVISION_REQUIRED: 'INVALID_REQUEST_ERROR',
  LIQUIDITY_INSUFFICIENT: 'INVALID_REQUEST_ERROR',
} as const;

/** Code of the service. */
export type ErrorCode = keyof typeof errorTypes;

/** Codes of requests that are repeated as they are, with growing pauses. */
export const repeatedCodes: readonly ErrorCode[] = ['request_already_in_progress', 'internal_server_error', 'too_many_requests'];

/** Params of every code in wire form. */
export interface ErrorParams {
  /** The request does not have the documented form. Correct the field that is named and send it again. */
  readonly invalid_request: Readonly<Record<string, never>>;
  /** Nothing exists at this address for this caller. Check the method, the path and the identifier. */
  readonly not_found: Readonly<Record<string, never>>;
  /** This Idempotency-Key was used with a different request. Use a new key for a new request. */
  readonly idempotency_key_reused: Readonly<Record<string, never>>;
  /** A request with this Idempotency-Key is still running. Repeat it after one second, then back off. */
  readonly request_already_in_progress: Readonly<Record<string, never>>;
  /** The service failed to answer. Repeat the same request with exponential backoff. */
  readonly internal_server_error: Readonly<Record<string, never>>;
  /** Too many requests. Wait for the number of seconds in the Retry-After header. */
  readonly too_many_requests: Readonly<Record<string, never>>;
  /** The credential is missing, malformed, unknown, revoked, expired, or of another kind or environment; the message of an answer says which. Send the documented Authorization header. */
  readonly unauthorized: Readonly<Record<string, never>>;
  /** The wallet address is neither an EVM address nor a Solana public key. Check its form and its checksum. */
  readonly customer_auth_invalid_wallet_address: Readonly<Record<string, never>>;
  /** No market has this ticker. Take tickers from the market list. */
  readonly customer_market_not_found: Readonly<Record<string, never>>;
  /** No event has this ticker. Take it from `event.ticker` of a market. */
  readonly customer_event_not_found: Readonly<Record<string, never>>;
  /** No series has this ticker. Take it from `event.series_ticker` of a market. */
  readonly customer_series_not_found: Readonly<Record<string, never>>;
  /** This wallet has no position with this ID. Take IDs from the position list. */
  readonly customer_position_not_found: Readonly<Record<string, never>>;
  /** This wallet has no position with this ID. Take IDs from the position list. */
  readonly customer_position_transactions_not_found: Readonly<Record<string, never>>;
  /** This market is not offered with leverage. Choose one whose `accepting_new_positions` is true. */
  readonly quote_market_not_eligible: Readonly<Record<string, never>>;
  /** The first book or risk reading of this market has not arrived yet. Ask again in a few seconds. */
  readonly quote_market_not_ready: Readonly<Record<string, never>>;
  /** This market no longer trades. Choose one whose `status` is `active`. */
  readonly quote_market_not_active: Readonly<Record<string, never>>;
  /** The risk of this market is too high for new positions now. Watch its eligibility or choose another. */
  readonly quote_market_risk_too_high: Readonly<Record<string, never>>;
  /** Only markets of the categories `crypto` and `sport` are offered. Choose one of those. */
  readonly quote_market_unsupported_category: Readonly<Record<string, never>>;
  /** There is no price feed for the asset behind this market. Choose another market. */
  readonly quote_market_unsupported_crypto_asset: Readonly<Record<string, never>>;
  /** This kind of market takes no entries before its event starts. Ask for a new quote after the start. */
  readonly quote_event_not_started: Readonly<Record<string, never>>;
  /** The time for new positions is over: see `latest_enter_at`. Choose a market that ends later. */
  readonly quote_trading_window_closing: Readonly<Record<string, never>>;
  /** The closing time of this market has passed. Choose another market. */
  readonly risk_engine_market_closed: Readonly<Record<string, never>>;
  /** An operator has disabled this market. Choose another market. */
  readonly risk_engine_market_disabled: { readonly reason?: string };
  /** This market is being resolved. Choose another market. */
  readonly risk_engine_market_settlement_detected: Readonly<Record<string, never>>;
  /** Two price sources of this market disagree, so opening is stopped. Ask again when they agree. */
  readonly circuit_breaker_price_divergence_tripped: Readonly<Record<string, never>>;
  /** The venue has closed this market. Choose another market. */
  readonly quote_venue_market_closed: Readonly<Record<string, never>>;
  /** The venue lists this market as inactive. Choose another market. */
  readonly quote_venue_market_inactive: Readonly<Record<string, never>>;
  /** The venue takes no orders for this market now. Ask again later or choose another market. */
  readonly quote_venue_market_not_accepting_orders: Readonly<Record<string, never>>;
  /** The venue gives no token for this side of the market. Choose another market. */
  readonly quote_venue_missing_token: Readonly<Record<string, never>>;
  /** The venue gives no condition ID for this market. Choose another market. */
  readonly quote_market_missing_venue_condition_id: Readonly<Record<string, never>>;
  /** The liquidation price would lie too close to the entry price. Lower the leverage or the slippage. */
  readonly quote_liquidation_not_viable: { readonly entry_price_usd_pips: string; readonly liquidation_price_usd_pips: string; readonly min_tolerance_pct_bps: number; readonly side: 'yes' | 'no' };
  /** Quotes are paused. Try again in a moment. */
  readonly quote_creation_disabled: Readonly<Record<string, never>>;
  /** The leverage is below the minimum. Raise it to `min_leverage_bps`. */
  readonly quote_leverage_below_minimum: { readonly current_book_leverage_bps: number; readonly min_leverage_bps: number };
  /** The leverage is above the maximum for this size. Lower it to `max_leverage_bps`. */
  readonly quote_leverage_exceeds_maximum: { readonly current_book_leverage_bps: number; readonly max_leverage_bps: number };
  /** The leverage is above what the risk model allows now. Lower it to `max_leverage_bps`. */
  readonly quote_leverage_exceeds_model_max: { readonly current_book_leverage_bps: number; readonly max_leverage_bps: number };
  /** The collateral is below the minimum. Raise the notional so that collateral reaches the minimum. */
  readonly quote_leverage_exceeds_collateral_floor: { readonly current_book_leverage_bps: number; readonly current_collateral_usd_pips: string; readonly max_leverage_bps: number; readonly min_collateral_usd_pips: string };
  /** The notional is below the minimum of this market. Raise it to `min_notional_usd_pips`. */
  readonly quote_notional_below_minimum: { readonly min_notional_usd_pips: string; readonly requested_notional_usd_pips: string };
  /** This leverage would be liquidated at once at this price. The most you can use is `max_acceptable_leverage_bps`. */
  readonly quote_leverage_too_high_for_price: { readonly current_book_leverage_bps: number; readonly entry_price_usd_pips: string; readonly max_acceptable_leverage_bps: number; readonly minimum_buffer_usd_pips: string };
  /** The price is too low for even the smallest leverage. Choose the other side or another market. */
  readonly quote_price_too_low: Readonly<Record<string, never>>;
  /** The highest leverage offered now is below the tradable minimum. Try a smaller notional or wait. */
  readonly quote_max_leverage_too_low: { readonly max_leverage_bps: number; readonly min_leverage_bps: number };
  /** Too little is offered near the best ask for this size. Lower the notional or wait. */
  readonly quote_entry_depth_too_low: { readonly current_depth_usd_pips: string; readonly min_depth_usd_pips: string };
  /** Too little is bid near the best bid to leave a position of this size. Lower the notional or wait. */
  readonly quote_entry_bid_depth_too_low: { readonly current_bid_depth_usd_pips: string; readonly threshold_usd_pips: string };
  /** The book has only one side. Ask again when both sides are quoted. */
  readonly quote_entry_book_one_sided: Readonly<Record<string, never>>;
  /** The price lies outside the range in which positions are opened. Choose another side or market. */
  readonly quote_entry_price_out_of_range: { readonly current_price_usd_pips: string; readonly max_price_usd_pips: string; readonly min_price_usd_pips: string };
  /** The spread is too wide. Ask again when it has narrowed. */
  readonly quote_entry_spread_too_wide: { readonly current_spread_usd_pips: string; readonly max_spread_usd_pips: string };
  /** The order book is out of date. Ask again in a few seconds. */
  readonly quote_entry_order_book_stale: { readonly last_update_age_ms: number; readonly market_id: string };
  /** The market price is out of date. Ask again in a few seconds. */
  readonly quote_entry_price_stale: { readonly last_update_age_ms: number; readonly market_id: string };
  /** The price of the underlying asset is out of date. Ask again in a few seconds. */
  readonly quote_entry_crypto_price_stale: { readonly last_update_age_ms: number; readonly market_id: string };
  /** The state of the game is out of date. Ask again when the feed is back. */
  readonly quote_entry_sport_data_stale: { readonly last_update_age_ms: number; readonly market_id: string };
  /** This type of market is not offered with leverage. Choose another market. */
  readonly quote_entry_excluded_market_type: { readonly market_type: string };
  /** This sport is not offered with leverage. Choose another market. */
  readonly quote_entry_excluded_sport: { readonly sport: string };
  /** Too much of the event has passed for new positions. Choose another market. */
  readonly quote_entry_market_too_elapsed: { readonly max_pct_elapsed: number; readonly pct_elapsed: number };
  /** One account holds too large a share of this token. Choose another market. */
  readonly quote_entry_top_holder_too_high: Readonly<Record<string, never>>;
  /** Too little was traded in the last 24 hours. Choose a busier market. */
  readonly quote_entry_volume_too_low: { readonly current_volume24h_usd_pips: string; readonly min_volume24h_usd_pips: string };
  /** There are too few recent prices for an average. Ask again in a few seconds. */
  readonly quote_twap_data_unavailable: Readonly<Record<string, never>>;
  /** The last price used for the average is too old. Ask again in a few seconds. */
  readonly quote_twap_data_stale: Readonly<Record<string, never>>;
  /** The book cannot fill the part this request needs. Retry with a smaller notional. */
  readonly notional_selector_insufficient_liquidity: { readonly max_supported_collateral_usd_pips: string; readonly min_notional_usd_pips: string; readonly slippage_max_usd_pips: string };
  /** The book cannot fill even the smallest position on this side now. Choose the other side or market. */
  readonly notional_selector_below_min_notional: { readonly max_supported_collateral_usd_pips: string; readonly min_notional_usd_pips: string; readonly slippage_max_usd_pips: string };
  /** Nothing is offered on this side of the book. Ask again when there are asks. */
  readonly notional_selector_empty_order_book: Readonly<Record<string, never>>;
  /** Before the event starts the book cannot fill the smallest position. Ask again nearer the start. */
  readonly notional_selector_pregame_insufficient_liquidity: { readonly max_supported_collateral_usd_pips: string; readonly min_notional_usd_pips: string; readonly slippage_max_usd_pips: string };
  /** This side has less room than the request needs. Lower the collateral to the supported maximum. */
  readonly quote_side_capacity_exceeded: { readonly available_capacity_usd_pips: string; readonly max_supported_collateral_usd_pips: string; readonly min_notional_usd_pips: string };
  /** The wallet would exceed its limit. Lower the notional to `available_capacity_usd_pips`. */
  readonly quote_user_position_limit_exceeded: { readonly available_capacity_usd_pips: string; readonly current_notional_usd_pips: string; readonly limit_usd_pips: string };
  /** The market would exceed its limit. Lower the notional to `available_capacity_usd_pips`. */
  readonly quote_market_position_limit_exceeded: { readonly available_capacity_usd_pips: string; readonly current_notional_usd_pips: string; readonly limit_usd_pips: string };
  /** This side would exceed its limit. Lower the notional to `available_capacity_usd_pips`. */
  readonly quote_side_position_limit_exceeded: { readonly available_capacity_usd_pips: string; readonly current_notional_usd_pips: string; readonly limit_usd_pips: string };
  /** The service would exceed its limit. Lower the notional to `available_capacity_usd_pips`. */
  readonly quote_global_position_limit_exceeded: { readonly available_capacity_usd_pips: string; readonly current_notional_usd_pips: string; readonly limit_usd_pips: string };
  /** The partner would exceed its limit. Lower the notional to `available_capacity_usd_pips`. */
  readonly quote_partner_position_limit_exceeded: { readonly available_capacity_usd_pips: string; readonly current_notional_usd_pips: string; readonly limit_usd_pips: string; readonly active_notional_usd_pips: string; readonly in_flight_notional_usd_pips: string };
  /** The wallet would borrow more than its cap. Lower the notional to the available one, or the leverage. */
  readonly quote_user_capital_exceeded: { readonly available_borrowed_usdc_units: string; readonly available_collateral_usdc_units?: string; readonly available_notional_usdc_units?: string; readonly cap_usdc_units: string; readonly current_borrowed_usdc_units: string; readonly requested_borrowed_usdc_units: string };
  /** The market would borrow more than its cap. Lower the notional to the available one, or the leverage. */
  readonly quote_market_capital_exceeded: { readonly available_borrowed_usdc_units: string; readonly available_collateral_usdc_units?: string; readonly available_notional_usdc_units?: string; readonly cap_usdc_units: string; readonly current_borrowed_usdc_units: string; readonly requested_borrowed_usdc_units: string };
  /** This side would borrow more than its cap. Lower the notional to the available one, or the leverage. */
  readonly quote_side_capital_exceeded: { readonly available_borrowed_usdc_units: string; readonly available_collateral_usdc_units?: string; readonly available_notional_usdc_units?: string; readonly cap_usdc_units: string; readonly current_borrowed_usdc_units: string; readonly requested_borrowed_usdc_units: string };
  /** The pool cannot lend this much now. Lower the notional to the available one, or the leverage. */
  readonly quote_total_capital_exceeded: { readonly available_borrowed_usdc_units: string; readonly available_collateral_usdc_units?: string; readonly available_notional_usdc_units?: string; readonly cap_usdc_units: string; readonly current_borrowed_usdc_units: string; readonly requested_borrowed_usdc_units: string };
  /** `min_fill_bps` is only allowed together with `allow_partial_fill: true`. Add the one or drop the other. */
  readonly quote_min_fill_bps_requires_fak: Readonly<Record<string, never>>;
  /** `min_fill_bps` lies outside its range. Choose a value between `absolute_min_bps` and `max_bps`. */
  readonly quote_min_fill_bps_out_of_range: { readonly min_fill_bps: number; readonly absolute_min_bps: number; readonly max_bps: number };
  /** `min_fill_bps` must be a multiple of `step_bps`. Round it to one. */
  readonly quote_min_fill_bps_step_invalid: { readonly min_fill_bps: number; readonly step_bps: number };
  /** The smallest allowed fill would fall under a minimum. Raise `min_fill_bps` or the notional. */
  readonly quote_min_fill_bps_below_floor: { readonly min_fill_bps: number; readonly floor_min_fill_bps: number; readonly bound_by: 'collateral' | 'notional'; readonly requested_collateral_usd_pips: string; readonly requested_notional_usd_pips: string };
  /** The price has moved or the book is too thin for the allowed slippage. Raise it or wait. */
  readonly quote_slippage_too_high: { readonly current_slippage_bps: number; readonly max_slippage_bps: number };
  /** Quotes need a valid EVM wallet address. Create a token for an EVM wallet. */
  readonly quote_invalid_venue_wallet_address: Readonly<Record<string, never>>;
  /** The request must shrink to be accepted. Resubmit the acceptable values or set `allow_revision: true`. */
  readonly QUOTE_REVISION_REQUIRED: { readonly revision: 'notional_reduced' | 'leverage_reduced' | 'notional_and_leverage_reduced'; readonly requested_leverage_bps: number; readonly requested_notional_usd_pips: string; readonly acceptable_leverage_bps: number; readonly acceptable_notional_usd_pips: string; readonly acceptable_collateral_usdc_units: string };
  /** No size and leverage of at least 1.5x clears now. Wait for a deeper book or choose another market. */
  readonly LIQUIDITY_INSUFFICIENT: Readonly<Record<string, never>>;
}
