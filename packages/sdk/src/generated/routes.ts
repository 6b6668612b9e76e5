// Written by packages/sdk/generate/main.ts; do not edit.
import type { ContractInfo, DraftQuote, FeeRates, FeeReport, FeeReportRequest, LimitUsage, Market, MarketList, MarketStatisticsList, OrderBook, PartialCloseList, Position, PositionList, PositionTransactions, PriceHistory, Quote, QuoteRequest, SampleEventRun, Token, TokenRequest, UnwindList } from './resources.ts';

/** Path prefix of every route under the origin of a service. */
export const basePath = '/v1/prediction-markets';

/** Route table of the service: method, path and throttle. */
export const routes = {
  createToken: { method: 'POST', path: '/tokens', throttle: 'tokens' },
  getContractInfo: { method: 'GET', path: '/contract-info', throttle: 'standard' },
  getFeeRates: { method: 'GET', path: '/fee-rates', throttle: 'standard' },
  createFeeReport: { method: 'POST', path: '/fee-reports', throttle: 'standard' },
  getPartnerLimits: { method: 'GET', path: '/partner-limits', throttle: 'standard' },
  getUserLimits: { method: 'GET', path: '/user-limits', throttle: 'standard' },
  listMarkets: { method: 'GET', path: '/markets', throttle: 'standard' },
  searchMarkets: { method: 'GET', path: '/markets/search', throttle: 'standard' },
  getMarket: { method: 'GET', path: '/markets/{ticker}', throttle: 'standard' },
  listEventMarkets: { method: 'GET', path: '/events/{event_ticker}/markets', throttle: 'standard' },
  listSeriesMarkets: { method: 'GET', path: '/series/{series_ticker}/markets', throttle: 'standard' },
  getPriceHistory: { method: 'GET', path: '/markets/{ticker}/price-history', throttle: 'standard' },
  getOrderBook: { method: 'GET', path: '/markets/{ticker}/order-book', throttle: 'standard' },
  getMarketStatistics: { method: 'GET', path: '/market-statistics', throttle: 'standard' },
  listPositions: { method: 'GET', path: '/positions', throttle: 'standard' },
  listMarketPositions: { method: 'GET', path: '/markets/{ticker}/positions', throttle: 'standard' },
  listEventPositions: { method: 'GET', path: '/events/{event_ticker}/positions', throttle: 'standard' },
  listSeriesPositions: { method: 'GET', path: '/series/{series_ticker}/positions', throttle: 'standard' },
  getPosition: { method: 'GET', path: '/positions/{position_id}', throttle: 'standard' },
  getPositionTransactions: { method: 'GET', path: '/positions/{position_id}/transactions', throttle: 'standard' },
  listPartialCloses: { method: 'GET', path: '/positions/{position_id}/partial-closes', throttle: 'standard' },
  listUnwinds: { method: 'GET', path: '/positions/{position_id}/unwinds', throttle: 'standard' },
  createQuote: { method: 'POST', path: '/quotes', throttle: 'quoteCreation' },
  createDraftQuote: { method: 'POST', path: '/draft-quotes', throttle: 'quoteCreation' },
  promoteDraftQuote: { method: 'POST', path: '/promoted-quotes/{draft_quote_id}', throttle: 'quoteCreation' },
  createSampleEvents: { method: 'POST', path: '/sample-events', throttle: 'sampleEvents' },
} as const;

/** Request, response and error codes of each route. */
export interface Operations {
  /** Create a token for a wallet whose ownership the partner has verified. */
  readonly createToken: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: TokenRequest;
    readonly answer: Token;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_auth_invalid_wallet_address' | 'idempotency_key_reused' | 'request_already_in_progress';
  };
  /** Chain, signer, stablecoin and vault addresses. */
  readonly getContractInfo: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: ContractInfo;
    readonly code: 'invalid_request' | 'internal_server_error' | 'too_many_requests';
  };
  /** Fee rates of the caller, and of a market when a ticker is given. */
  readonly getFeeRates: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      readonly ticker?: string;
    };
    readonly body: undefined;
    readonly answer: FeeRates;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_market_not_found' | 'quote_market_not_ready';
  };
  /** All fees of a size and leverage; creates no quote and signs nothing. */
  readonly createFeeReport: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: FeeReportRequest;
    readonly answer: FeeReport;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_market_not_found' | 'quote_leverage_below_minimum' | 'quote_leverage_exceeds_maximum' | 'quote_leverage_exceeds_collateral_floor' | 'quote_notional_below_minimum' | 'quote_market_not_ready' | 'notional_selector_empty_order_book' | 'idempotency_key_reused' | 'request_already_in_progress';
  };
  /** Notional limit of the partner with usage and remaining. */
  readonly getPartnerLimits: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: LimitUsage;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests';
  };
  /** Notional limit of the wallet with usage and remaining. */
  readonly getUserLimits: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: LimitUsage;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests';
  };
  /** List markets. */
  readonly listMarkets: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** Page size */
      readonly limit?: number;
      /** Results after this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly starting_after?: string;
      /** Results before this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly ending_before?: string;
      /** Comma-separated list of: total_count, prices, rules */
      readonly expand?: readonly ('total_count' | 'prices' | 'rules')[];
      readonly sort?: 'ticker_asc' | 'depth_desc' | 'discovered_at_desc';
      /** True: markets that accept new positions on YES or NO; false: on neither */
      readonly accepting_new_positions?: boolean;
      readonly category?: 'crypto' | 'sport';
      readonly provider?: 'venue';
      readonly status?: 'active' | 'closed' | 'determined' | 'finalized' | 'disputed';
      /** Substring of the title, or exactly the ticker (both without regard to case), or exactly a token ID */
      readonly query?: string;
    };
    readonly body: undefined;
    readonly answer: MarketList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests';
  };
  /** Search markets; use the list with `query`. */
  readonly searchMarkets: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** Page size */
      readonly limit?: number;
      /** Results after this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly starting_after?: string;
      /** Results before this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly ending_before?: string;
      /** Comma-separated list of: total_count, prices, rules */
      readonly expand?: readonly ('total_count' | 'prices' | 'rules')[];
      readonly sort?: 'ticker_asc' | 'depth_desc' | 'discovered_at_desc';
      /** True: markets that accept new positions on YES or NO; false: on neither */
      readonly accepting_new_positions?: boolean;
      readonly category?: 'crypto' | 'sport';
      readonly provider?: 'venue';
      readonly status?: 'active' | 'closed' | 'determined' | 'finalized' | 'disputed';
      /** Substring of the title, or exactly the ticker (both without regard to case), or exactly a token ID */
      readonly query: string;
    };
    readonly body: undefined;
    readonly answer: MarketList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests';
  };
  /** One market. */
  readonly getMarket: {
    readonly path: {
      readonly ticker: string;
    };
    readonly query: {
      /** Comma-separated list of: prices, rules */
      readonly expand?: readonly ('prices' | 'rules')[];
    };
    readonly body: undefined;
    readonly answer: Market;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_market_not_found';
  };
  /** Markets of an event. */
  readonly listEventMarkets: {
    readonly path: {
      readonly event_ticker: string;
    };
    readonly query: {
      /** Page size */
      readonly limit?: number;
      /** Results after this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly starting_after?: string;
      /** Results before this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly ending_before?: string;
      /** Comma-separated list of: total_count, prices, rules */
      readonly expand?: readonly ('total_count' | 'prices' | 'rules')[];
      readonly sort?: 'ticker_asc' | 'depth_desc' | 'discovered_at_desc';
      /** True: markets that accept new positions on YES or NO; false: on neither */
      readonly accepting_new_positions?: boolean;
      readonly category?: 'crypto' | 'sport';
      readonly provider?: 'venue';
      readonly status?: 'active' | 'closed' | 'determined' | 'finalized' | 'disputed';
      /** Substring of the title, or exactly the ticker (both without regard to case), or exactly a token ID */
      readonly query?: string;
    };
    readonly body: undefined;
    readonly answer: MarketList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_event_not_found';
  };
  /** Markets of all events of a series. */
  readonly listSeriesMarkets: {
    readonly path: {
      readonly series_ticker: string;
    };
    readonly query: {
      /** Page size */
      readonly limit?: number;
      /** Results after this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly starting_after?: string;
      /** Results before this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly ending_before?: string;
      /** Comma-separated list of: total_count, prices, rules */
      readonly expand?: readonly ('total_count' | 'prices' | 'rules')[];
      readonly sort?: 'ticker_asc' | 'depth_desc' | 'discovered_at_desc';
      /** True: markets that accept new positions on YES or NO; false: on neither */
      readonly accepting_new_positions?: boolean;
      readonly category?: 'crypto' | 'sport';
      readonly provider?: 'venue';
      readonly status?: 'active' | 'closed' | 'determined' | 'finalized' | 'disputed';
      /** Substring of the title, or exactly the ticker (both without regard to case), or exactly a token ID */
      readonly query?: string;
    };
    readonly body: undefined;
    readonly answer: MarketList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_series_not_found';
  };
  /** Past prices of a market (house extension). */
  readonly getPriceHistory: {
    readonly path: {
      readonly ticker: string;
    };
    readonly query: {
      readonly range?: '1h' | '6h' | '1d' | '1w' | 'all';
    };
    readonly body: undefined;
    readonly answer: PriceHistory;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_market_not_found';
  };
  /** Order books of a market (house extension). */
  readonly getOrderBook: {
    readonly path: {
      readonly ticker: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: OrderBook;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_market_not_found';
  };
  /** Volume, liquidity and price change of several markets (house extension). */
  readonly getMarketStatistics: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** Comma-separated list of at most 50 tickers; unknown ones are left out */
      readonly tickers: string;
    };
    readonly body: undefined;
    readonly answer: MarketStatisticsList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests';
  };
  /** The caller's positions. */
  readonly listPositions: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** Page size */
      readonly limit?: number;
      /** Results after this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly starting_after?: string;
      /** Results before this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly ending_before?: string;
      /** Comma-separated list of: unwinds, planned_unwinds, basis, ledger, total_count */
      readonly expand?: readonly ('unwinds' | 'planned_unwinds' | 'basis' | 'ledger' | 'total_count')[];
      readonly sort_by?: 'created_at' | 'closed_at';
      readonly sort_direction?: 'asc' | 'desc';
      /** `open` also returns positions that are being unwound */
      readonly status?: 'pending' | 'open' | 'unwinding' | 'closing' | 'settling' | 'closed' | 'settled' | 'liquidated' | 'cancelled';
      readonly state?: 'active' | 'inactive';
      readonly token_id?: string;
      /** Older spelling of `token_id`. @deprecated */
      readonly venue_token_id?: string;
      /** Use the market route. @deprecated */
      readonly ticker?: string;
    };
    readonly body: undefined;
    readonly answer: PositionList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests';
  };
  /** The caller's positions in a market. */
  readonly listMarketPositions: {
    readonly path: {
      readonly ticker: string;
    };
    readonly query: {
      /** Page size */
      readonly limit?: number;
      /** Results after this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly starting_after?: string;
      /** Results before this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly ending_before?: string;
      /** Comma-separated list of: unwinds, planned_unwinds, basis, ledger, total_count */
      readonly expand?: readonly ('unwinds' | 'planned_unwinds' | 'basis' | 'ledger' | 'total_count')[];
      readonly sort_by?: 'created_at' | 'closed_at';
      readonly sort_direction?: 'asc' | 'desc';
      /** `open` also returns positions that are being unwound */
      readonly status?: 'pending' | 'open' | 'unwinding' | 'closing' | 'settling' | 'closed' | 'settled' | 'liquidated' | 'cancelled';
      readonly state?: 'active' | 'inactive';
      readonly token_id?: string;
      /** Older spelling of `token_id`. @deprecated */
      readonly venue_token_id?: string;
      /** Use the market route. @deprecated */
      readonly ticker?: string;
    };
    readonly body: undefined;
    readonly answer: PositionList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_market_not_found';
  };
  /** The caller's positions in the markets of an event. */
  readonly listEventPositions: {
    readonly path: {
      readonly event_ticker: string;
    };
    readonly query: {
      /** Page size */
      readonly limit?: number;
      /** Results after this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly starting_after?: string;
      /** Results before this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly ending_before?: string;
      /** Comma-separated list of: unwinds, planned_unwinds, basis, ledger, total_count */
      readonly expand?: readonly ('unwinds' | 'planned_unwinds' | 'basis' | 'ledger' | 'total_count')[];
      readonly sort_by?: 'created_at' | 'closed_at';
      readonly sort_direction?: 'asc' | 'desc';
      /** `open` also returns positions that are being unwound */
      readonly status?: 'pending' | 'open' | 'unwinding' | 'closing' | 'settling' | 'closed' | 'settled' | 'liquidated' | 'cancelled';
      readonly state?: 'active' | 'inactive';
      readonly token_id?: string;
      /** Older spelling of `token_id`. @deprecated */
      readonly venue_token_id?: string;
      /** Use the market route. @deprecated */
      readonly ticker?: string;
    };
    readonly body: undefined;
    readonly answer: PositionList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_event_not_found';
  };
  /** The caller's positions in the markets of a series. */
  readonly listSeriesPositions: {
    readonly path: {
      readonly series_ticker: string;
    };
    readonly query: {
      /** Page size */
      readonly limit?: number;
      /** Results after this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly starting_after?: string;
      /** Results before this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly ending_before?: string;
      /** Comma-separated list of: unwinds, planned_unwinds, basis, ledger, total_count */
      readonly expand?: readonly ('unwinds' | 'planned_unwinds' | 'basis' | 'ledger' | 'total_count')[];
      readonly sort_by?: 'created_at' | 'closed_at';
      readonly sort_direction?: 'asc' | 'desc';
      /** `open` also returns positions that are being unwound */
      readonly status?: 'pending' | 'open' | 'unwinding' | 'closing' | 'settling' | 'closed' | 'settled' | 'liquidated' | 'cancelled';
      readonly state?: 'active' | 'inactive';
      readonly token_id?: string;
      /** Older spelling of `token_id`. @deprecated */
      readonly venue_token_id?: string;
      /** Use the market route. @deprecated */
      readonly ticker?: string;
    };
    readonly body: undefined;
    readonly answer: PositionList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_series_not_found';
  };
  /** One position. */
  readonly getPosition: {
    readonly path: {
      readonly position_id: string;
    };
    readonly query: {
      /** Comma-separated list of: unwinds, planned_unwinds, basis, ledger */
      readonly expand?: readonly ('unwinds' | 'planned_unwinds' | 'basis' | 'ledger')[];
    };
    readonly body: undefined;
    readonly answer: Position;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_position_not_found';
  };
  /** Final transactions of a position in nine groups. */
  readonly getPositionTransactions: {
    readonly path: {
      readonly position_id: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: PositionTransactions;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_position_transactions_not_found';
  };
  /** Executed partial closes of a position in order of time. */
  readonly listPartialCloses: {
    readonly path: {
      readonly position_id: string;
    };
    readonly query: {
      /** Page size */
      readonly limit?: number;
      /** Results after this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly starting_after?: string;
      /** Results before this object: a ticker for markets, an ID for positions, `executed_at` for partial closes */
      readonly ending_before?: string;
      /** Comma-separated list of: total_count */
      readonly expand?: readonly ('total_count')[];
    };
    readonly body: undefined;
    readonly answer: PartialCloseList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_position_not_found';
  };
  /** Unwinds of a position; use `expand=unwinds`. */
  readonly listUnwinds: {
    readonly path: {
      readonly position_id: string;
    };
    readonly query: {
      readonly status?: 'executed' | 'planned' | 'all';
    };
    readonly body: undefined;
    readonly answer: UnwindList;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_position_not_found';
  };
  /** Create a signed quote. */
  readonly createQuote: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** Comma-separated list of: max_gain, transaction, basis */
      readonly expand?: readonly ('max_gain' | 'transaction' | 'basis')[];
    };
    readonly body: QuoteRequest;
    readonly answer: Quote;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_market_not_found' | 'quote_market_not_eligible' | 'quote_market_not_ready' | 'quote_market_not_active' | 'quote_market_risk_too_high' | 'quote_market_unsupported_category' | 'quote_market_unsupported_crypto_asset' | 'quote_event_not_started' | 'quote_trading_window_closing' | 'risk_engine_market_closed' | 'risk_engine_market_disabled' | 'risk_engine_market_settlement_detected' | 'circuit_breaker_price_divergence_tripped' | 'quote_venue_market_closed' | 'quote_venue_market_inactive' | 'quote_venue_market_not_accepting_orders' | 'quote_venue_missing_token' | 'quote_market_missing_venue_condition_id' | 'quote_liquidation_not_viable' | 'quote_creation_disabled' | 'quote_leverage_below_minimum' | 'quote_leverage_exceeds_maximum' | 'quote_leverage_exceeds_model_max' | 'quote_leverage_exceeds_collateral_floor' | 'quote_notional_below_minimum' | 'quote_leverage_too_high_for_price' | 'quote_price_too_low' | 'quote_max_leverage_too_low' | 'quote_entry_depth_too_low' | 'quote_entry_bid_depth_too_low' | 'quote_entry_book_one_sided' | 'quote_entry_price_out_of_range' | 'quote_entry_spread_too_wide' | 'quote_entry_order_book_stale' | 'quote_entry_price_stale' | 'quote_entry_crypto_price_stale' | 'quote_entry_sport_data_stale' | 'quote_entry_excluded_market_type' | 'quote_entry_excluded_sport' | 'quote_entry_market_too_elapsed' | 'quote_entry_top_holder_too_high' | 'quote_entry_volume_too_low' | 'quote_twap_data_unavailable' | 'quote_twap_data_stale' | 'notional_selector_insufficient_liquidity' | 'notional_selector_below_min_notional' | 'notional_selector_empty_order_book' | 'notional_selector_pregame_insufficient_liquidity' | 'quote_side_capacity_exceeded' | 'quote_user_position_limit_exceeded' | 'quote_market_position_limit_exceeded' | 'quote_side_position_limit_exceeded' | 'quote_global_position_limit_exceeded' | 'quote_partner_position_limit_exceeded' | 'quote_user_capital_exceeded' | 'quote_market_capital_exceeded' | 'quote_side_capital_exceeded' | 'quote_total_capital_exceeded' | 'quote_min_fill_bps_requires_fak' | 'quote_min_fill_bps_out_of_range' | 'quote_min_fill_bps_step_invalid' | 'quote_min_fill_bps_below_floor' | 'quote_slippage_too_high' | 'quote_invalid_venue_wallet_address' | 'QUOTE_REVISION_REQUIRED' | 'LIQUIDITY_INSUFFICIENT' | 'idempotency_key_reused' | 'request_already_in_progress';
  };
  /** Create a draft quote: all figures, no reservation, no signature. */
  readonly createDraftQuote: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** Comma-separated list of: max_gain, basis */
      readonly expand?: readonly ('max_gain' | 'basis')[];
    };
    readonly body: QuoteRequest;
    readonly answer: DraftQuote;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'customer_market_not_found' | 'quote_market_not_eligible' | 'quote_market_not_ready' | 'quote_market_not_active' | 'quote_market_risk_too_high' | 'quote_market_unsupported_category' | 'quote_market_unsupported_crypto_asset' | 'quote_event_not_started' | 'quote_trading_window_closing' | 'risk_engine_market_closed' | 'risk_engine_market_disabled' | 'risk_engine_market_settlement_detected' | 'circuit_breaker_price_divergence_tripped' | 'quote_venue_market_closed' | 'quote_venue_market_inactive' | 'quote_venue_market_not_accepting_orders' | 'quote_venue_missing_token' | 'quote_market_missing_venue_condition_id' | 'quote_liquidation_not_viable' | 'quote_creation_disabled' | 'quote_leverage_below_minimum' | 'quote_leverage_exceeds_maximum' | 'quote_leverage_exceeds_model_max' | 'quote_leverage_exceeds_collateral_floor' | 'quote_notional_below_minimum' | 'quote_leverage_too_high_for_price' | 'quote_price_too_low' | 'quote_max_leverage_too_low' | 'quote_entry_depth_too_low' | 'quote_entry_bid_depth_too_low' | 'quote_entry_book_one_sided' | 'quote_entry_price_out_of_range' | 'quote_entry_spread_too_wide' | 'quote_entry_order_book_stale' | 'quote_entry_price_stale' | 'quote_entry_crypto_price_stale' | 'quote_entry_sport_data_stale' | 'quote_entry_excluded_market_type' | 'quote_entry_excluded_sport' | 'quote_entry_market_too_elapsed' | 'quote_entry_top_holder_too_high' | 'quote_entry_volume_too_low' | 'quote_twap_data_unavailable' | 'quote_twap_data_stale' | 'notional_selector_insufficient_liquidity' | 'notional_selector_below_min_notional' | 'notional_selector_empty_order_book' | 'notional_selector_pregame_insufficient_liquidity' | 'quote_min_fill_bps_requires_fak' | 'quote_min_fill_bps_out_of_range' | 'quote_min_fill_bps_step_invalid' | 'quote_min_fill_bps_below_floor' | 'quote_slippage_too_high' | 'quote_invalid_venue_wallet_address' | 'QUOTE_REVISION_REQUIRED' | 'LIQUIDITY_INSUFFICIENT' | 'idempotency_key_reused' | 'request_already_in_progress';
  };
  /** Promote a draft to a signed quote. */
  readonly promoteDraftQuote: {
    readonly path: {
      readonly draft_quote_id: string;
    };
    readonly query: {
      /** Comma-separated list of: max_gain, transaction, basis */
      readonly expand?: readonly ('max_gain' | 'transaction' | 'basis')[];
    };
    readonly body: Readonly<Record<string, never>>;
    readonly answer: Quote;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'not_found' | 'customer_market_not_found' | 'quote_market_not_eligible' | 'quote_market_not_ready' | 'quote_market_not_active' | 'quote_market_risk_too_high' | 'quote_market_unsupported_category' | 'quote_market_unsupported_crypto_asset' | 'quote_event_not_started' | 'quote_trading_window_closing' | 'risk_engine_market_closed' | 'risk_engine_market_disabled' | 'risk_engine_market_settlement_detected' | 'circuit_breaker_price_divergence_tripped' | 'quote_venue_market_closed' | 'quote_venue_market_inactive' | 'quote_venue_market_not_accepting_orders' | 'quote_venue_missing_token' | 'quote_market_missing_venue_condition_id' | 'quote_liquidation_not_viable' | 'quote_creation_disabled' | 'quote_leverage_below_minimum' | 'quote_leverage_exceeds_maximum' | 'quote_leverage_exceeds_model_max' | 'quote_leverage_exceeds_collateral_floor' | 'quote_notional_below_minimum' | 'quote_leverage_too_high_for_price' | 'quote_price_too_low' | 'quote_max_leverage_too_low' | 'quote_entry_depth_too_low' | 'quote_entry_bid_depth_too_low' | 'quote_entry_book_one_sided' | 'quote_entry_price_out_of_range' | 'quote_entry_spread_too_wide' | 'quote_entry_order_book_stale' | 'quote_entry_price_stale' | 'quote_entry_crypto_price_stale' | 'quote_entry_sport_data_stale' | 'quote_entry_excluded_market_type' | 'quote_entry_excluded_sport' | 'quote_entry_market_too_elapsed' | 'quote_entry_top_holder_too_high' | 'quote_entry_volume_too_low' | 'quote_twap_data_unavailable' | 'quote_twap_data_stale' | 'notional_selector_insufficient_liquidity' | 'notional_selector_below_min_notional' | 'notional_selector_empty_order_book' | 'notional_selector_pregame_insufficient_liquidity' | 'quote_side_capacity_exceeded' | 'quote_user_position_limit_exceeded' | 'quote_market_position_limit_exceeded' | 'quote_side_position_limit_exceeded' | 'quote_global_position_limit_exceeded' | 'quote_partner_position_limit_exceeded' | 'quote_user_capital_exceeded' | 'quote_market_capital_exceeded' | 'quote_side_capital_exceeded' | 'quote_total_capital_exceeded' | 'quote_min_fill_bps_requires_fak' | 'quote_min_fill_bps_out_of_range' | 'quote_min_fill_bps_step_invalid' | 'quote_min_fill_bps_below_floor' | 'quote_slippage_too_high' | 'quote_invalid_venue_wallet_address' | 'QUOTE_REVISION_REQUIRED' | 'LIQUIDITY_INSUFFICIENT' | 'idempotency_key_reused' | 'request_already_in_progress';
  };
  /** Send one event of every type to the caller's own socket. */
  readonly createSampleEvents: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: Readonly<Record<string, never>>;
    readonly answer: SampleEventRun;
    readonly code: 'unauthorized' | 'invalid_request' | 'internal_server_error' | 'too_many_requests' | 'idempotency_key_reused' | 'request_already_in_progress';
  };
}
