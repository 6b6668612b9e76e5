// Written by packages/sdk/generate/main.ts; do not edit.

export interface ClosedPosition {
  readonly id: string;
  /** ISO 8601 time in UTC */
  readonly created_at: string;
  readonly market_ticker: string;
  readonly market_title: string | null;
  readonly provider: 'venue';
  readonly effective_side: 'yes' | 'no';
  readonly wallet_address: `0x${string}`;
  /** Time-weighted structural leverage */
  readonly effective_leverage_bps: number;
  readonly failure: {
    readonly reason: FailureReason;
  } | null;
  readonly on_chain_position_key: `0x${string}`;
  readonly allow_partial_fill?: true;
  /** Basis points: 10,000 = 100 % */
  readonly min_fill_bps?: number;
  readonly unwinds?: Unwinds;
  readonly planned_unwinds?: PlannedUnwinds;
  readonly ledger?: PositionLedger;
  readonly status: 'closed' | 'settled' | 'liquidated' | 'cancelled';
  readonly close_reason: 'closed' | 'settled' | 'liquidated' | 'cancelled' | 'reverted';
  readonly entry: PositionEntry;
  readonly result: {
    /** ISO 8601 time in UTC */
    readonly closed_at: string;
    /** Proceeds less collateral and repaid margin. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly realized_pnl_usd_pips: string;
    /** Proceeds less collateral and repaid margin. Dollars, for display; the pips are authoritative */
    readonly realized_pnl_usd: string;
    /** Realised profit less opening fees. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly net_realized_pnl_usd_pips: string;
    /** Realised profit less opening fees. Dollars, for display; the pips are authoritative */
    readonly net_realized_pnl_usd: string;
    /** Net realised profit over collateral and repaid margin. Basis points: 10,000 = 100 %. Rounded down */
    readonly net_realized_pnl_bps: number;
    /** USDC paid to the user. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly proceeds_usd_pips: string;
    /** USDC paid to the user. Dollars, for display; the pips are authoritative */
    readonly proceeds_usd: string;
    /** Interest paid. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
    readonly collected_lifetime_fee_usd_pips: string;
    /** Interest paid. Dollars, for display; the pips are authoritative */
    readonly collected_lifetime_fee_usd: string;
    /** Liquidation fees paid. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
    readonly collected_liquidation_fee_usd_pips: string;
    /** Liquidation fees paid. Dollars, for display; the pips are authoritative */
    readonly collected_liquidation_fee_usd: string;
  };
  readonly fees: {
    /** Yearly interest rate on the borrowed amount. Basis points: 10,000 = 100 % */
    readonly lifetime_fee_apr_bps: number;
    /** Interest paid over the whole life. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
    readonly total_lifetime_fee_usd_pips: string;
    /** Interest paid over the whole life. Dollars, for display; the pips are authoritative */
    readonly total_lifetime_fee_usd: string;
    /** Venue fees of the opening and of all sales. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
    readonly total_venue_fee_usd_pips: string;
    /** Venue fees of the opening and of all sales. Dollars, for display; the pips are authoritative */
    readonly total_venue_fee_usd: string;
    /** Sum of all fees as displayed. Pips: 10,000 = 1.00 USD. Authoritative */
    readonly total_fees_usd_pips: string;
    /** Sum of all fees as displayed. Dollars, for display; the pips are authoritative */
    readonly total_fees_usd: string;
    /** Origination fee rate, partner rate included. Basis points: 10,000 = 100 % */
    readonly origination_fee_bps: number;
    /** Protocol part of the origination fee rate. Basis points: 10,000 = 100 % */
    readonly protocol_origination_fee_bps: number;
    /** Partner part of the origination fee rate. Basis points: 10,000 = 100 % */
    readonly partner_origination_fee_bps: number;
    /** Origination fee on the notional as spent. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
    readonly origination_fee_usd_pips: string;
    /** Origination fee on the notional as spent. Dollars, for display; the pips are authoritative */
    readonly origination_fee_usd: string;
  };
}

export interface ContractInfo {
  readonly evm_chain_id: string;
  readonly polygon_signer_address: `0x${string}`;
  readonly polygon_usdc_token_address: `0x${string}`;
  readonly polygon_vault_contract_address: `0x${string}`;
}

export interface DraftQuote {
  readonly id: string;
  /** Wallet address of the token */
  readonly authority_public_key: `0x${string}`;
  readonly market_ticker: string;
  readonly effective_side: 'yes' | 'no';
  readonly provider: 'venue';
  /** Basis points: 10,000 = 1x */
  readonly leverage_bps: number;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly collateral_usdc_units: string;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly notional_amount_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly notional_amount_usd: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly notional_amount_usdc_units: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly notional_usdc_units: string;
  /** Price of one token in pips: 10,000 = 1.00 USD */
  readonly entry_price_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly entry_price_usd: string;
  /** Price of one token in pips: 10,000 = 1.00 USD */
  readonly current_liquidation_price_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly current_liquidation_price_usd: string;
  /** Fee rate on the principal that a liquidation repays. Basis points: 10,000 = 100 % */
  readonly liquidation_fee_bps: number;
  /** Yearly interest rate on the borrowed amount. Basis points: 10,000 = 100 % */
  readonly lifetime_fee_apr_bps: number;
  /** Origination fee rate at the granted leverage, partner rate included. Basis points: 10,000 = 100 % */
  readonly origination_fee_bps: number;
  /** Origination fee on the notional. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
  readonly origination_fee_usd_pips: string;
  /** Origination fee on the notional. Dollars, for display; the pips are authoritative */
  readonly origination_fee_usd: string;
  /** Origination fee on the notional. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly origination_fee_usdc_units: string;
  /** Protocol part of the origination fee rate. Basis points: 10,000 = 100 % */
  readonly protocol_origination_fee_bps: number;
  /** Protocol part of the origination fee, the difference of both. Pips: 10,000 = 1.00 USD. Authoritative */
  readonly protocol_origination_fee_usd_pips: string;
  /** Protocol part of the origination fee, the difference of both. Dollars, for display; the pips are authoritative */
  readonly protocol_origination_fee_usd: string;
  /** Protocol part of the origination fee, the difference of both. USDC units: 1,000,000 = 1.00 USD */
  readonly protocol_origination_fee_usdc_units: string;
  /** Partner part of the origination fee rate. Basis points: 10,000 = 100 % */
  readonly partner_origination_fee_bps: number;
  /** Partner part of the origination fee; units down, pips up. Pips: 10,000 = 1.00 USD. Authoritative */
  readonly partner_origination_fee_usd_pips: string;
  /** Partner part of the origination fee; units down, pips up. Dollars, for display; the pips are authoritative */
  readonly partner_origination_fee_usd: string;
  /** Partner part of the origination fee; units down, pips up. USDC units: 1,000,000 = 1.00 USD */
  readonly partner_origination_fee_usdc_units: string;
  /** Opening trading fee: venue part with headroom plus partner part. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
  readonly expected_open_trading_fee_usd_pips: string;
  /** Opening trading fee: venue part with headroom plus partner part. Dollars, for display; the pips are authoritative */
  readonly expected_open_trading_fee_usd: string;
  /** Opening trading fee: venue part with headroom plus partner part. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly expected_open_trading_fee_usdc_units: string;
  /** Partner builder fee rate on the notional. Basis points: 10,000 = 100 % */
  readonly partner_trading_fee_bps: number;
  /** Partner part of the opening trading fee. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
  readonly partner_trading_fee_usd_pips: string;
  /** Partner part of the opening trading fee. Dollars, for display; the pips are authoritative */
  readonly partner_trading_fee_usd: string;
  /** Partner part of the opening trading fee. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly partner_trading_fee_usdc_units: string;
  /** Venue's fee rate. Basis points: 10,000 = 100 %. Rounded down */
  readonly venue_trading_fee_bps: number;
  /** Collateral plus origination fee plus opening trading fee. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
  readonly total_user_amount_usd_pips: string;
  /** Collateral plus origination fee plus opening trading fee. Dollars, for display; the pips are authoritative */
  readonly total_user_amount_usd: string;
  /** Collateral plus origination fee plus opening trading fee. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly total_user_amount_usdc_units: string;
  /** Token units: 1,000,000 = 1 token */
  readonly min_expected_position_token_units: string;
  readonly venue_market_id: `0x${string}`;
  readonly venue_token_id: string;
  readonly venue_vault_contract_address: `0x${string}`;
  /** ISO 8601 time in UTC */
  readonly expires_at: string;
  /** Echoed when partial-open was requested */
  readonly allow_partial_fill?: true;
  /** Basis points: 10,000 = 100 % */
  readonly min_fill_bps?: number;
  /** Only with `expand=max_gain`; excludes lifetime fees and may be negative */
  readonly max_gain?: {
    /** Maximum gain: tokens redeemed at 1 USD less the notional. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly gross_max_gain_usd_pips: string;
    /** Maximum gain: tokens redeemed at 1 USD less the notional. Dollars, for display; the pips are authoritative */
    readonly gross_max_gain_usd: string;
    /** Maximum gain: tokens redeemed at 1 USD less the notional. USDC units: 1,000,000 = 1.00 USD. Rounded down */
    readonly gross_max_gain_usdc_units: string;
    /** Gross maximum gain less origination and opening trading fee. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly net_max_gain_usd_pips: string;
    /** Gross maximum gain less origination and opening trading fee. Dollars, for display; the pips are authoritative */
    readonly net_max_gain_usd: string;
    /** Gross maximum gain less origination and opening trading fee. USDC units: 1,000,000 = 1.00 USD. Rounded down */
    readonly net_max_gain_usdc_units: string;
  };
  readonly basis?: QuoteBasis;
  readonly on_chain_position_key: '';
  readonly position_seed: '';
  readonly position_seed_hex: '';
  readonly contract_signature: '';
  readonly evm_chain_id: '';
  readonly signature_expiry: '0';
}

/** `order_not_filled`: The order found no counterparty in time. `price_moved`: The price went past what the minimum tokens allow. `minimum_tokens_unreachable`: The minimum tokens wanted a better price than the quote had. `venue_fee_too_small`: The budget for the venue's fee did not cover the order. `liquidation_price_too_high`: The liquidation price would have been above its maximum, or too close to the price. `floor_missed`: Less than the smallest part that was allowed could be bought. `liquidity_insufficient`: The book had too little to buy. `price_unavailable`: No price was confirmed in time. `pool_limit_reached`: The pool could not lend as much. `opening_paused`: Openings were paused. `market_closed`: The market took no more openings. `market_resolved`: The market was resolved, or about to be. `venue_rejected`: The venue refused the order. `ghost_fill`: The match failed when it was settled. `transaction_not_mined`: The transaction with the order was in no block in time. `order_not_allowed`: No order was allowed for another reason. */
export type FailureReason = 'order_not_filled' | 'price_moved' | 'minimum_tokens_unreachable' | 'venue_fee_too_small' | 'liquidation_price_too_high' | 'floor_missed' | 'liquidity_insufficient' | 'price_unavailable' | 'pool_limit_reached' | 'opening_paused' | 'market_closed' | 'market_resolved' | 'venue_rejected' | 'ghost_fill' | 'transaction_not_mined' | 'order_not_allowed';

export interface FeeRates {
  /** Basis points: 10,000 = 100 % */
  readonly contract_max_origination_fee_bps: number;
  /** Basis points: 10,000 = 100 % */
  readonly lifetime_fee_apr_bps: number;
  /** Basis points: 10,000 = 100 % */
  readonly liquidation_fee_bps: number;
  readonly origination_fee_tiers: readonly {
    /** Basis points: 10,000 = 1x */
    readonly max_leverage_bps: number;
    /** Basis points: 10,000 = 100 % */
    readonly fee_bps: number;
  }[];
  /** Basis points: 10,000 = 100 %. @deprecated */
  readonly partner_origination_fee_bps: number;
  /** Basis points: 10,000 = 100 % */
  readonly partner_trading_fee_bps: number;
  /** Only with `ticker` */
  readonly market?: {
    readonly ticker: string;
    readonly venue_fee_exponent: number;
    /** Basis points: 10,000 = 100 % */
    readonly venue_trading_fee_bps: number;
    readonly measured_costs: readonly {
      readonly kind: 'opening' | 'close';
      /** Value that every fill of the class exceeds */
      readonly min_value_usd_pips: string;
      /** Largest value of a fill in the class; null for all larger ones */
      readonly max_value_usd_pips: string | null;
      /** Paid above the entry price of the quote, or received below the mid, as a share of the value there */
      readonly cost_bps: number;
      readonly fill_count: number;
    }[];
  };
}

export interface FeeReport {
  readonly market_ticker: string;
  readonly effective_side: 'yes' | 'no';
  /** Basis points: 10,000 = 1x */
  readonly leverage_bps: number;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly notional_amount_usd_pips: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly notional_usdc_units: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly collateral_usdc_units: string;
  /** Price of one token in pips: 10,000 = 1.00 USD */
  readonly entry_price_usd_pips: string;
  /** Price of one token in pips: 10,000 = 1.00 USD */
  readonly estimated_liquidation_price_usd_pips: string;
  /** Opening trading fee: venue part plus partner part. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly expected_open_trading_fee_usdc_units: string;
  /** Maximum gain: tokens redeemed at 1 USD less the notional. USDC units: 1,000,000 = 1.00 USD */
  readonly gross_max_gain_usdc_units: string;
  /** Gross maximum gain less origination and opening trading fee. USDC units: 1,000,000 = 1.00 USD */
  readonly net_max_gain_usdc_units: string;
  /** Origination fee rate at the granted leverage, partner rate included. Basis points: 10,000 = 100 % */
  readonly origination_fee_bps: number;
  /** Origination fee on the notional. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly origination_fee_usdc_units: string;
  /** Protocol part of the origination fee rate. Basis points: 10,000 = 100 % */
  readonly protocol_origination_fee_bps: number;
  /** Partner part of the origination fee rate. Basis points: 10,000 = 100 % */
  readonly partner_origination_fee_bps: number;
  /** Partner builder fee rate on the notional. Basis points: 10,000 = 100 % */
  readonly partner_trading_fee_bps: number;
  /** Venue's fee rate. Basis points: 10,000 = 100 %. Rounded down */
  readonly venue_trading_fee_bps: number;
  /** Collateral plus origination fee plus opening trading fee. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly total_user_amount_usdc_units: string;
}

export interface FeeReportRequest {
  readonly market_ticker: string;
  readonly effective_side: 'yes' | 'no';
  readonly leverage_bps: number;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly notional_amount_usd_pips: string;
  readonly entry_price_usd_pips?: string;
}

export interface LedgerRow {
  /** `opening`, `margin` added by the owner, `close` on request, `unwind` and `liquidation` by the service, `exit` (debt repaid, tokens handed over), `settlement`, `refund` of an opening, `claim` after the end */
  readonly kind: 'opening' | 'margin' | 'close' | 'unwind' | 'liquidation' | 'exit' | 'settlement' | 'refund' | 'claim';
  /** ISO 8601 time in UTC */
  readonly executed_at: string;
  readonly transaction_hash: `0x${string}`;
  /** Tokens bought, sold, settled or handed over */
  readonly token_units: string;
  readonly price_usd_pips: string | null;
  readonly price_usd: string | null;
  /** Price of the tokens before fees: repaid, fees and paid out, less paid in. At the opening: cost */
  readonly trade_usdc_units: string;
  /** Repaid loan */
  readonly repaid_usdc_units: string;
  /** Fees of the service and the venue, interest among them */
  readonly fee_usdc_units: string;
  /** Paid by the wallet */
  readonly paid_in_usdc_units: string;
  /** Paid or credited to the wallet */
  readonly paid_out_usdc_units: string;
  /** Change of the realized profit after fees */
  readonly realized_pnl_usdc_units: string;
  /** Token units: 1,000,000 = 1 token */
  readonly remaining_token_units: string;
  /** Loan after the row; it bears interest from here */
  readonly remaining_principal_usdc_units: string;
  /** Unpaid fees after the row */
  readonly remaining_fee_usdc_units: string;
  /** Book leverage after the row; null unless open */
  readonly leverage_bps: number | null;
  readonly reason: 'spread_blowout' | 'spread_spike' | 'spread_warning' | 'depth_decay' | 'depth_drain' | 'depth_entry_drain' | 'price_drop_warning' | 'price_drop_moderate' | 'price_drop_severe' | 'price_drop_full_exit' | 'activity_surge' | 'cancel_acceleration' | 'large_holder' | 'position_exposure' | 'last_trade_divergence' | 'crypto_move' | 'game_start' | 'lead_change' | 'post_hard_exit_losing' | 'stale_refresh' | 'unknown' | null;
  readonly reason_detail: string | null;
}

export interface LimitUsage {
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly limit_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly limit_usd: string;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly usage_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly usage_usd: string;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly remaining_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly remaining_usd: string;
}

/** `max_notional_*` is the largest notional that a quote grants unchanged now, at the minimum leverage and a slippage of 500 basis points, to a wallet without positions. It is within the capacity, the slippage maximum, and the remaining limits of the partner and of the user. */
export interface Market {
  readonly id: string;
  /** Equal to `venue.slug`. @deprecated */
  readonly ticker: string;
  readonly venue: {
    readonly slug: string;
    readonly condition_id: `0x${string}` | null;
    readonly yes_token_id: string;
    readonly no_token_id: string;
  };
  readonly title: string | null;
  readonly yes_sub_title: string | null;
  /** Description of the NO outcome. Not part of the specification */
  readonly no_sub_title: string | null;
  readonly category: 'crypto' | 'sport';
  readonly event: {
    readonly ticker: string;
    readonly title: string;
    readonly series_ticker: string | null;
  };
  readonly status: 'active' | 'closed' | 'determined' | 'finalized' | 'disputed';
  readonly tags: readonly string[];
  readonly close_time: string | null;
  /** ISO 8601 time in UTC */
  readonly discovered_at: string;
  readonly latest_enter_at: string | null;
  readonly provider: 'venue';
  readonly accepting_new_positions: boolean;
  readonly rejection_reason_code: 'QUOTE_MARKET_NOT_ACTIVE' | 'QUOTE_MARKET_UNSUPPORTED_CATEGORY' | 'QUOTE_MARKET_UNSUPPORTED_CRYPTO_ASSET' | 'QUOTE_MARKET_OPEN_INTEREST_TOO_LOW' | 'QUOTE_MARKET_RISK_TOO_HIGH' | 'QUOTE_MAX_LEVERAGE_TOO_LOW' | 'QUOTE_TRADING_WINDOW_CLOSING' | 'QUOTE_HARD_EXIT_TOO_CLOSE' | 'QUOTE_EVENT_NOT_STARTED' | 'QUOTE_SIDE_CAPACITY_EXCEEDED' | 'QUOTE_ENTRY_BOOK_ONE_SIDED' | 'QUOTE_ENTRY_EXCLUDED_SPORT' | 'QUOTE_ENTRY_EXCLUDED_MARKET_TYPE' | 'QUOTE_ENTRY_SPREAD_TOO_WIDE' | 'QUOTE_ENTRY_DEPTH_TOO_LOW' | 'QUOTE_ENTRY_BID_DEPTH_TOO_LOW' | 'QUOTE_ENTRY_MARKET_TOO_ELAPSED' | 'QUOTE_ENTRY_TOP_HOLDER_TOO_HIGH' | 'QUOTE_ENTRY_VOLUME_TOO_LOW' | 'QUOTE_ENTRY_PRICE_OUT_OF_RANGE' | 'NOTIONAL_SELECTOR_BELOW_MIN_NOTIONAL' | 'NOTIONAL_SELECTOR_PREGAME_INSUFFICIENT_LIQUIDITY' | 'RISK_ENGINE_MARKET_DISABLED' | null;
  readonly sided_eligibility: {
    readonly yes: {
      readonly accepting_new_positions: boolean;
      readonly rejection_reason_code: 'QUOTE_MARKET_NOT_ACTIVE' | 'QUOTE_MARKET_UNSUPPORTED_CATEGORY' | 'QUOTE_MARKET_UNSUPPORTED_CRYPTO_ASSET' | 'QUOTE_MARKET_OPEN_INTEREST_TOO_LOW' | 'QUOTE_MARKET_RISK_TOO_HIGH' | 'QUOTE_MAX_LEVERAGE_TOO_LOW' | 'QUOTE_TRADING_WINDOW_CLOSING' | 'QUOTE_HARD_EXIT_TOO_CLOSE' | 'QUOTE_EVENT_NOT_STARTED' | 'QUOTE_SIDE_CAPACITY_EXCEEDED' | 'QUOTE_ENTRY_BOOK_ONE_SIDED' | 'QUOTE_ENTRY_EXCLUDED_SPORT' | 'QUOTE_ENTRY_EXCLUDED_MARKET_TYPE' | 'QUOTE_ENTRY_SPREAD_TOO_WIDE' | 'QUOTE_ENTRY_DEPTH_TOO_LOW' | 'QUOTE_ENTRY_BID_DEPTH_TOO_LOW' | 'QUOTE_ENTRY_MARKET_TOO_ELAPSED' | 'QUOTE_ENTRY_TOP_HOLDER_TOO_HIGH' | 'QUOTE_ENTRY_VOLUME_TOO_LOW' | 'QUOTE_ENTRY_PRICE_OUT_OF_RANGE' | 'NOTIONAL_SELECTOR_BELOW_MIN_NOTIONAL' | 'NOTIONAL_SELECTOR_PREGAME_INSUFFICIENT_LIQUIDITY' | 'RISK_ENGINE_MARKET_DISABLED' | null;
    };
    readonly no: {
      readonly accepting_new_positions: boolean;
      readonly rejection_reason_code: 'QUOTE_MARKET_NOT_ACTIVE' | 'QUOTE_MARKET_UNSUPPORTED_CATEGORY' | 'QUOTE_MARKET_UNSUPPORTED_CRYPTO_ASSET' | 'QUOTE_MARKET_OPEN_INTEREST_TOO_LOW' | 'QUOTE_MARKET_RISK_TOO_HIGH' | 'QUOTE_MAX_LEVERAGE_TOO_LOW' | 'QUOTE_TRADING_WINDOW_CLOSING' | 'QUOTE_HARD_EXIT_TOO_CLOSE' | 'QUOTE_EVENT_NOT_STARTED' | 'QUOTE_SIDE_CAPACITY_EXCEEDED' | 'QUOTE_ENTRY_BOOK_ONE_SIDED' | 'QUOTE_ENTRY_EXCLUDED_SPORT' | 'QUOTE_ENTRY_EXCLUDED_MARKET_TYPE' | 'QUOTE_ENTRY_SPREAD_TOO_WIDE' | 'QUOTE_ENTRY_DEPTH_TOO_LOW' | 'QUOTE_ENTRY_BID_DEPTH_TOO_LOW' | 'QUOTE_ENTRY_MARKET_TOO_ELAPSED' | 'QUOTE_ENTRY_TOP_HOLDER_TOO_HIGH' | 'QUOTE_ENTRY_VOLUME_TOO_LOW' | 'QUOTE_ENTRY_PRICE_OUT_OF_RANGE' | 'NOTIONAL_SELECTOR_BELOW_MIN_NOTIONAL' | 'NOTIONAL_SELECTOR_PREGAME_INSUFFICIENT_LIQUIDITY' | 'RISK_ENGINE_MARKET_DISABLED' | null;
    };
  };
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly min_collateral_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly min_collateral_usd: string;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly min_notional_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly min_notional_usd: string;
  readonly leverage: {
    /** Basis points: 10,000 = 1x */
    readonly min_bps: number;
    /** Basis points: 10,000 = 1x */
    readonly max_yes_bps: number;
    /** Basis points: 10,000 = 1x */
    readonly max_no_bps: number;
    /** Basis points: 10,000 = 1x */
    readonly step_bps: number;
    readonly max_market_leverage_per_notional: {
      readonly yes: {
        /** Basis points: 10,000 = 1x */
        readonly at100_usd_bps: number;
        /** Basis points: 10,000 = 1x */
        readonly at500_usd_bps: number;
        /** Basis points: 10,000 = 1x */
        readonly at1000_usd_bps: number;
        /** Basis points: 10,000 = 1x */
        readonly at10000_usd_bps: number;
      };
      readonly no: {
        /** Basis points: 10,000 = 1x */
        readonly at100_usd_bps: number;
        /** Basis points: 10,000 = 1x */
        readonly at500_usd_bps: number;
        /** Basis points: 10,000 = 1x */
        readonly at1000_usd_bps: number;
        /** Basis points: 10,000 = 1x */
        readonly at10000_usd_bps: number;
      };
    };
  };
  readonly fees: {
    readonly origination_tiers: readonly {
      /** Basis points: 10,000 = 1x */
      readonly max_leverage_bps: number;
      /** Basis points: 10,000 = 100 % */
      readonly fee_bps: number;
    }[];
    /** Basis points: 10,000 = 100 % */
    readonly lifetime_fee_apr_bps: number;
    /** Basis points: 10,000 = 100 % */
    readonly liquidation_fee_bps: number;
  };
  readonly max_notional_yes_usd_pips: string | null;
  readonly max_notional_yes_usd: string | null;
  readonly max_notional_no_usd_pips: string | null;
  readonly max_notional_no_usd: string | null;
  readonly capacity_max_notional_yes_usd_pips: string | null;
  readonly capacity_max_notional_yes_usd: string | null;
  readonly capacity_max_notional_no_usd_pips: string | null;
  readonly capacity_max_notional_no_usd: string | null;
  readonly slippage_max_notional_yes_usd_pips: string | null;
  readonly slippage_max_notional_yes_usd: string | null;
  readonly slippage_max_notional_no_usd_pips: string | null;
  readonly slippage_max_notional_no_usd: string | null;
  /** Only with `expand=prices` */
  readonly prices?: {
    readonly yes_ask_price_usd_pips: string | null;
    readonly yes_ask_price_usd: string | null;
    readonly yes_bid_price_usd_pips: string | null;
    readonly yes_bid_price_usd: string | null;
    readonly no_ask_price_usd_pips: string | null;
    readonly no_ask_price_usd: string | null;
    readonly no_bid_price_usd_pips: string | null;
    readonly no_bid_price_usd: string | null;
  } | null;
  /** Only with `expand=rules`: rules of the resolution in the words of the venue, plain text of at most 10,000 characters with line breaks. Not part of the specification */
  readonly rules?: string | null;
  /** Only with `expand=rules`: source that decides the resolution in the words of the venue, often a URL. Untrusted: link it only when it is an http or https URL. Not part of the specification */
  readonly resolution_source?: string | null;
}

export interface MarketList {
  readonly data: readonly Market[];
  readonly has_more: boolean;
  readonly total_count?: number;
}

export interface MarketStatistics {
  readonly market_ticker: string;
  readonly volume24h_usd_pips: string | null;
  readonly volume24h_usd: string | null;
  readonly liquidity_usd_pips: string | null;
  readonly liquidity_usd: string | null;
  readonly open_interest_usd_pips: string | null;
  readonly open_interest_usd: string | null;
  readonly yes_price_change24h_usd_pips: string | null;
  readonly yes_price_change24h_usd: string | null;
  /** Up to 24 prices of YES, oldest first, for a small chart */
  readonly yes_price_samples24h_usd_pips: readonly string[];
}

export interface MarketStatisticsList {
  readonly data: readonly MarketStatistics[];
  readonly has_more: boolean;
  readonly total_count?: number;
}

export interface OpenPosition {
  readonly id: string;
  /** ISO 8601 time in UTC */
  readonly created_at: string;
  readonly market_ticker: string;
  readonly market_title: string | null;
  readonly provider: 'venue';
  readonly effective_side: 'yes' | 'no';
  readonly wallet_address: `0x${string}`;
  /** Time-weighted structural leverage */
  readonly effective_leverage_bps: number;
  readonly failure: {
    readonly reason: FailureReason;
  } | null;
  readonly on_chain_position_key: `0x${string}`;
  readonly allow_partial_fill?: true;
  /** Basis points: 10,000 = 100 % */
  readonly min_fill_bps?: number;
  readonly unwinds?: Unwinds;
  readonly planned_unwinds?: PlannedUnwinds;
  readonly ledger?: PositionLedger;
  readonly status: 'pending' | 'open' | 'unwinding' | 'closing' | 'settling';
  readonly close_attempt: {
    readonly outcome: 'deferred';
    readonly reason: 'awaiting_settlement';
    /** ISO 8601 time in UTC */
    readonly deferred_at: string;
  } | null;
  readonly pending_operation: {
    readonly type: 'close' | 'partial_close' | 'unwind' | 'liquidation' | 'cancel';
    /** ISO 8601 time in UTC */
    readonly requested_at: string;
    /** Token units: 1,000,000 = 1 token */
    readonly token_units?: string;
  } | null;
  readonly entry: PositionEntry;
  readonly current: {
    /** Collateral plus principal, over collateral. Basis points: 10,000 = 1x. Rounded down */
    readonly book_leverage_bps: number;
    /** Structural leverage. Basis points: 10,000 = 1x */
    readonly leverage_bps: number;
    /** Position value over equity; null without equity. Basis points: 10,000 = 1x. Rounded down */
    readonly market_leverage_bps: number | null;
    /** Mark at which the position is valued. Pips: 10,000 = 1.00 USD per token */
    readonly mark_price_usd_pips: string;
    /** Mark at which the position is valued. Dollars, for display; the pips are authoritative */
    readonly mark_price_usd: string;
    /** Collateral plus principal. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly notional_usd_pips: string;
    /** Collateral plus principal. Dollars, for display; the pips are authoritative */
    readonly notional_usd: string;
    /** Tokens of the position. Token units: 1,000,000 = 1 token */
    readonly position_token_units: string;
    /** Share of the opened tokens that remains; null before the opening. Basis points: 10,000 = 100 %. Rounded down */
    readonly remaining_bps: number | null;
    /** Collateral at cost. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly collateral_usd_pips: string;
    /** Collateral at cost. Dollars, for display; the pips are authoritative */
    readonly collateral_usd: string;
    /** Equity at the mark, never below zero. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly effective_collateral_usd_pips: string;
    /** Equity at the mark, never below zero. Dollars, for display; the pips are authoritative */
    readonly effective_collateral_usd: string;
    /** Profit before opening fees. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly unrealized_pnl_usd_pips: string;
    /** Profit before opening fees. Dollars, for display; the pips are authoritative */
    readonly unrealized_pnl_usd: string;
    /** Profit before opening fees, over collateral. Basis points: 10,000 = 100 %. Rounded down */
    readonly unrealized_pnl_bps: number;
    /** Profit after all fees. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly net_unrealized_pnl_usd_pips: string;
    /** Profit after all fees. Dollars, for display; the pips are authoritative */
    readonly net_unrealized_pnl_usd: string;
    /** Profit after all fees, over collateral. Basis points: 10,000 = 100 %. Rounded down */
    readonly net_unrealized_pnl_bps: number;
    /** Tokens at the mark. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly position_value_usd_pips: string;
    /** Tokens at the mark. Dollars, for display; the pips are authoritative */
    readonly position_value_usd: string;
    /** Minimum of a partial close; 0 when none is possible. Token units: 1,000,000 = 1 token */
    readonly min_partial_close_token_units: string;
    /** Maximum of a partial close; 0 when none is possible. Token units: 1,000,000 = 1 token */
    readonly max_partial_close_token_units: string;
  };
  readonly risk: {
    /** Health from liquidation price (0 %) to opening mark (100 %). Basis points: 10,000 = 100 %. Rounded down */
    readonly health_bps: number;
    /** Mark at or below which liquidation is possible. Pips: 10,000 = 1.00 USD per token. Rounded down */
    readonly current_liquidation_price_usd_pips: string;
    /** Mark at or below which liquidation is possible. Dollars, for display; the pips are authoritative */
    readonly current_liquidation_price_usd: string;
    /** Mark less liquidation price, over the mark. Basis points: 10,000 = 100 %. Rounded down */
    readonly liquidation_buffer_bps: number;
    /** Fee rate on the principal that a liquidation repays. Basis points: 10,000 = 100 % */
    readonly liquidation_fee_bps: number;
    /** Position value above the liquidation threshold. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly margin_buffer_usd_pips: string;
    /** Position value above the liquidation threshold. Dollars, for display; the pips are authoritative */
    readonly margin_buffer_usd: string;
  };
  readonly fees: {
    /** Yearly interest rate on the borrowed amount. Basis points: 10,000 = 100 % */
    readonly lifetime_fee_apr_bps: number;
    /** Interest since the last change of the loan. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
    readonly accrued_lifetime_fee_usd_pips: string;
    /** Interest since the last change of the loan. Dollars, for display; the pips are authoritative */
    readonly accrued_lifetime_fee_usd: string;
    /** Unpaid interest until the last change of the loan. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
    readonly pending_lifetime_fee_usd_pips: string;
    /** Unpaid interest until the last change of the loan. Dollars, for display; the pips are authoritative */
    readonly pending_lifetime_fee_usd: string;
    /** Venue fees of the opening and of sales. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
    readonly accrued_venue_fee_usd_pips: string;
    /** Venue fees of the opening and of sales. Dollars, for display; the pips are authoritative */
    readonly accrued_venue_fee_usd: string;
    /** Sum of origination fee, interest and venue fees as displayed. Pips: 10,000 = 1.00 USD. Authoritative */
    readonly total_fees_usd_pips: string;
    /** Sum of origination fee, interest and venue fees as displayed. Dollars, for display; the pips are authoritative */
    readonly total_fees_usd: string;
  };
  readonly timing: {
    readonly is_settlement_pending: boolean;
    readonly is_voided: boolean;
    readonly market_close_time: string | null;
    readonly market_status: 'active' | 'closed' | 'determined' | 'finalized' | 'disputed';
    readonly settlement_state: 'none' | 'awaiting_settlement' | 'awaiting_resolution' | 'settling' | 'voided' | 'unresolved_upstream';
    readonly time_to_close_minutes: number | null;
  };
  readonly basis?: PositionBasis;
}

/** Only with `expand=transaction`; valid until the quote expires */
export interface OpeningTransaction {
  readonly to: `0x${string}`;
  readonly data: `0x${string}`;
  /** Native coin to send, in its smallest unit: 0 */
  readonly value: string;
  readonly chain_id: string;
  /** Allowances required before the transaction is sent */
  readonly approvals: readonly {
    readonly token: `0x${string}`;
    readonly spender: `0x${string}`;
    /** USDC units: 1,000,000 = 1.00 USD */
    readonly units: string;
  }[];
}

export interface OrderBook {
  readonly market_ticker: string;
  readonly yes: {
    /** Lowest first */
    readonly asks: readonly {
      /** Price of one token in pips: 10,000 = 1.00 USD */
      readonly price_usd_pips: string;
      /** Dollars, for display; the pips are authoritative */
      readonly price_usd: string;
      /** Token units: 1,000,000 = 1 token */
      readonly token_units: string;
    }[];
    /** Highest first */
    readonly bids: readonly {
      /** Price of one token in pips: 10,000 = 1.00 USD */
      readonly price_usd_pips: string;
      /** Dollars, for display; the pips are authoritative */
      readonly price_usd: string;
      /** Token units: 1,000,000 = 1 token */
      readonly token_units: string;
    }[];
    readonly last_trade: {
      /** ISO 8601 time in UTC */
      readonly at: string;
      /** Price of one token in pips: 10,000 = 1.00 USD */
      readonly price_usd_pips: string;
      /** Dollars, for display; the pips are authoritative */
      readonly price_usd: string;
    } | null;
    /** Newest first, at most 30, since the service began to follow the market */
    readonly trades: readonly {
      /** ISO 8601 time in UTC */
      readonly at: string;
      /** Price of one token in pips: 10,000 = 1.00 USD */
      readonly price_usd_pips: string;
      /** Dollars, for display; the pips are authoritative */
      readonly price_usd: string;
      /** Null where the venue does not state it */
      readonly token_units: string | null;
      /** Direction of the order that met the book */
      readonly taker_side: 'buy' | 'sell' | null;
    }[];
    /** ISO 8601 time in UTC */
    readonly updated_at: string;
  } | null;
  readonly no: {
    /** Lowest first */
    readonly asks: readonly {
      /** Price of one token in pips: 10,000 = 1.00 USD */
      readonly price_usd_pips: string;
      /** Dollars, for display; the pips are authoritative */
      readonly price_usd: string;
      /** Token units: 1,000,000 = 1 token */
      readonly token_units: string;
    }[];
    /** Highest first */
    readonly bids: readonly {
      /** Price of one token in pips: 10,000 = 1.00 USD */
      readonly price_usd_pips: string;
      /** Dollars, for display; the pips are authoritative */
      readonly price_usd: string;
      /** Token units: 1,000,000 = 1 token */
      readonly token_units: string;
    }[];
    readonly last_trade: {
      /** ISO 8601 time in UTC */
      readonly at: string;
      /** Price of one token in pips: 10,000 = 1.00 USD */
      readonly price_usd_pips: string;
      /** Dollars, for display; the pips are authoritative */
      readonly price_usd: string;
    } | null;
    /** Newest first, at most 30, since the service began to follow the market */
    readonly trades: readonly {
      /** ISO 8601 time in UTC */
      readonly at: string;
      /** Price of one token in pips: 10,000 = 1.00 USD */
      readonly price_usd_pips: string;
      /** Dollars, for display; the pips are authoritative */
      readonly price_usd: string;
      /** Null where the venue does not state it */
      readonly token_units: string | null;
      /** Direction of the order that met the book */
      readonly taker_side: 'buy' | 'sell' | null;
    }[];
    /** ISO 8601 time in UTC */
    readonly updated_at: string;
  } | null;
}

export interface PartialClose {
  /** ISO 8601 time in UTC */
  readonly executed_at: string;
  /** Token units: 1,000,000 = 1 token */
  readonly sold_token_units: string;
  /** Price of one token in pips: 10,000 = 1.00 USD */
  readonly average_sale_price_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly average_sale_price_usd: string;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly sale_proceeds_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly sale_proceeds_usd: string;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly capital_repaid_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly capital_repaid_usd: string;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly user_payout_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly user_payout_usd: string;
  /** Token units: 1,000,000 = 1 token */
  readonly remaining_position_token_units: string;
  /** Basis points: 10,000 = 1x */
  readonly new_leverage_bps: number;
}

export interface PartialCloseList {
  readonly data: readonly PartialClose[];
  readonly has_more: boolean;
  readonly total_count?: number;
}

export interface PlannedUnwind {
  readonly rung: number;
  readonly trigger: {
    readonly kind: 'price';
    /** Price of one token in pips: 10,000 = 1.00 USD */
    readonly price_usd_pips: string;
    /** Dollars, for display; the pips are authoritative */
    readonly price_usd: string;
  } | {
    readonly kind: 'time';
    /** ISO 8601 time in UTC */
    readonly at: string;
  };
  /** Basis points: 10,000 = 1x */
  readonly target_leverage_bps: number;
  readonly status: 'planned' | 'triggered' | 'superseded';
  readonly triggered_at: string | null;
  readonly executed_unwind_id: string | null;
}

export interface PlannedUnwinds {
  readonly data: readonly PlannedUnwind[];
  readonly has_more: boolean;
}

export type Position = OpenPosition | ClosedPosition;

/** Only with `expand=basis` */
export interface PositionBasis {
  /** Tokens bought at the opening; null before it */
  readonly opened_token_units: string | null;
  /** Outstanding loan */
  readonly principal_usdc_units: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly collateral_usdc_units: string;
  /** Interest accrued until the last change of the loan */
  readonly pending_lifetime_fee_usdc_units: string;
  /** Start of the interest period of the current loan */
  readonly principal_changed_at: string | null;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly origination_fee_usdc_units: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly open_venue_fee_usdc_units: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly sale_venue_fee_usdc_units: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly unwind_paid_usdc_units: string;
  /** Margin above the debt at which liquidation begins */
  readonly exit_buffer_bps: number;
  /** Mark of the opening, at which health is 100 % */
  readonly reference_price_usd_pips: string;
}

export interface PositionEntry {
  /** Collateral of the opening, net of the refund of a partial fill. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
  readonly collateral_usd_pips: string;
  /** Collateral of the opening, net of the refund of a partial fill. Dollars, for display; the pips are authoritative */
  readonly collateral_usd: string;
  /** Notional as spent; as quoted until the fill is recorded. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
  readonly notional_usd_pips: string;
  /** Notional as spent; as quoted until the fill is recorded. Dollars, for display; the pips are authoritative */
  readonly notional_usd: string;
  /** Leverage of the quote. Basis points: 10,000 = 1x */
  readonly leverage_bps: number;
  /** Entry price of the quote. Pips: 10,000 = 1.00 USD per token */
  readonly price_usd_pips: string;
  /** Entry price of the quote. Dollars, for display; the pips are authoritative */
  readonly price_usd: string;
  /** Average price of the fill; null until it is recorded. Pips: 10,000 = 1.00 USD per token. Rounded up */
  readonly effective_entry_price_usd_pips: string | null;
  /** Average price of the fill; null until it is recorded. Dollars, for display; the pips are authoritative */
  readonly effective_entry_price_usd: string | null;
  /** Average price over the entry price of the quote, positive when worse; null until the fill is recorded. Basis points: 10,000 = 100 %. Rounded up */
  readonly effective_slippage_bps: number | null;
  /** Tokens bought; as quoted until the fill is recorded. Token units: 1,000,000 = 1 token */
  readonly position_token_units: string;
  /** Share of the notional that was filled; null until it is recorded. Basis points: 10,000 = 100 %. Rounded down */
  readonly initial_fill_bps: number | null;
  readonly risk_mode: 'adaptive' | 'committed';
  /** Dollars, for display; the pips are authoritative */
  readonly locked_margin_usd: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly locked_margin_usdc_units: string;
  /** Origination fee rate, partner rate included. Basis points: 10,000 = 100 % */
  readonly origination_fee_bps: number;
  /** Protocol part of the origination fee rate. Basis points: 10,000 = 100 % */
  readonly protocol_origination_fee_bps: number;
  /** Partner part of the origination fee rate. Basis points: 10,000 = 100 % */
  readonly partner_origination_fee_bps: number;
  /** Origination fee on the notional as spent. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
  readonly origination_fee_usd_pips: string;
  /** Origination fee on the notional as spent. Dollars, for display; the pips are authoritative */
  readonly origination_fee_usd: string;
  readonly opened_at: string | null;
  /** Milliseconds from the creation to the recorded fill */
  readonly open_latency_ms: number | null;
}

/** Only with `expand=ledger` */
export interface PositionLedger {
  /** Paid by the wallet in all; what came back at the opening is not */
  readonly paid_in_usdc_units: string;
  /** Paid or credited to the wallet in all */
  readonly paid_out_usdc_units: string;
  /** Paid fees in all */
  readonly fee_usdc_units: string;
  /** Profit after fees of what was sold; `current.net_unrealized_pnl_*` is beside it */
  readonly realized_pnl_usdc_units: string;
  /** Tokens sold or settled */
  readonly sold_token_units: string;
  readonly average_exit_price_usd_pips: string | null;
  readonly average_exit_price_usd: string | null;
  /** The newest 500 rows, the oldest first */
  readonly data: readonly LedgerRow[];
  readonly has_more: boolean;
}

export interface PositionList {
  readonly data: readonly Position[];
  readonly has_more: boolean;
  readonly total_count?: number;
}

export interface PositionTransactions {
  readonly open: {
    readonly transactions: readonly {
      readonly transaction_hash: `0x${string}`;
      readonly exchange_transaction_hashes?: readonly `0x${string}`[];
    }[];
  };
  readonly close: {
    readonly transactions: readonly {
      readonly transaction_hash: `0x${string}`;
      readonly exchange_transaction_hashes?: readonly `0x${string}`[];
    }[];
  };
  readonly liquidation: {
    readonly transactions: readonly {
      readonly transaction_hash: `0x${string}`;
      readonly exchange_transaction_hashes?: readonly `0x${string}`[];
    }[];
  };
  readonly settle: {
    readonly transactions: readonly {
      readonly transaction_hash: `0x${string}`;
      readonly exchange_transaction_hashes?: readonly `0x${string}`[];
    }[];
  };
  readonly force_unwind: {
    readonly transactions: readonly {
      readonly transaction_hash: `0x${string}`;
      readonly exchange_transaction_hashes?: readonly `0x${string}`[];
    }[];
  };
  readonly cancel_request: {
    readonly transactions: readonly {
      readonly transaction_hash: `0x${string}`;
    }[];
  };
  readonly cancel: {
    readonly transactions: readonly {
      readonly transaction_hash: `0x${string}`;
    }[];
  };
  readonly revert: {
    readonly transactions: readonly {
      readonly transaction_hash: `0x${string}`;
    }[];
  };
  readonly redemption: {
    readonly transactions: readonly {
      readonly transaction_hash: `0x${string}`;
    }[];
  };
}

export interface PriceHistory {
  readonly market_ticker: string;
  readonly range: '1h' | '6h' | '1d' | '1w' | 'all';
  /** Oldest first, at most 500 points */
  readonly data: readonly {
    /** ISO 8601 time in UTC */
    readonly at: string;
    /** Price of one token in pips: 10,000 = 1.00 USD */
    readonly yes_price_usd_pips: string;
    /** Dollars, for display; the pips are authoritative */
    readonly yes_price_usd: string;
  }[];
}

export interface Quote {
  readonly id: string;
  /** Wallet address of the token */
  readonly authority_public_key: `0x${string}`;
  readonly market_ticker: string;
  readonly effective_side: 'yes' | 'no';
  readonly provider: 'venue';
  /** Basis points: 10,000 = 1x */
  readonly leverage_bps: number;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly collateral_usdc_units: string;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly notional_amount_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly notional_amount_usd: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly notional_amount_usdc_units: string;
  /** USDC units: 1,000,000 = 1.00 USD */
  readonly notional_usdc_units: string;
  /** Price of one token in pips: 10,000 = 1.00 USD */
  readonly entry_price_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly entry_price_usd: string;
  /** Price of one token in pips: 10,000 = 1.00 USD */
  readonly current_liquidation_price_usd_pips: string;
  /** Dollars, for display; the pips are authoritative */
  readonly current_liquidation_price_usd: string;
  /** Fee rate on the principal that a liquidation repays. Basis points: 10,000 = 100 % */
  readonly liquidation_fee_bps: number;
  /** Yearly interest rate on the borrowed amount. Basis points: 10,000 = 100 % */
  readonly lifetime_fee_apr_bps: number;
  /** Origination fee rate at the granted leverage, partner rate included. Basis points: 10,000 = 100 % */
  readonly origination_fee_bps: number;
  /** Origination fee on the notional. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
  readonly origination_fee_usd_pips: string;
  /** Origination fee on the notional. Dollars, for display; the pips are authoritative */
  readonly origination_fee_usd: string;
  /** Origination fee on the notional. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly origination_fee_usdc_units: string;
  /** Protocol part of the origination fee rate. Basis points: 10,000 = 100 % */
  readonly protocol_origination_fee_bps: number;
  /** Protocol part of the origination fee, the difference of both. Pips: 10,000 = 1.00 USD. Authoritative */
  readonly protocol_origination_fee_usd_pips: string;
  /** Protocol part of the origination fee, the difference of both. Dollars, for display; the pips are authoritative */
  readonly protocol_origination_fee_usd: string;
  /** Protocol part of the origination fee, the difference of both. USDC units: 1,000,000 = 1.00 USD */
  readonly protocol_origination_fee_usdc_units: string;
  /** Partner part of the origination fee rate. Basis points: 10,000 = 100 % */
  readonly partner_origination_fee_bps: number;
  /** Partner part of the origination fee; units down, pips up. Pips: 10,000 = 1.00 USD. Authoritative */
  readonly partner_origination_fee_usd_pips: string;
  /** Partner part of the origination fee; units down, pips up. Dollars, for display; the pips are authoritative */
  readonly partner_origination_fee_usd: string;
  /** Partner part of the origination fee; units down, pips up. USDC units: 1,000,000 = 1.00 USD */
  readonly partner_origination_fee_usdc_units: string;
  /** Opening trading fee: venue part with headroom plus partner part. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
  readonly expected_open_trading_fee_usd_pips: string;
  /** Opening trading fee: venue part with headroom plus partner part. Dollars, for display; the pips are authoritative */
  readonly expected_open_trading_fee_usd: string;
  /** Opening trading fee: venue part with headroom plus partner part. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly expected_open_trading_fee_usdc_units: string;
  /** Partner builder fee rate on the notional. Basis points: 10,000 = 100 % */
  readonly partner_trading_fee_bps: number;
  /** Partner part of the opening trading fee. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
  readonly partner_trading_fee_usd_pips: string;
  /** Partner part of the opening trading fee. Dollars, for display; the pips are authoritative */
  readonly partner_trading_fee_usd: string;
  /** Partner part of the opening trading fee. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly partner_trading_fee_usdc_units: string;
  /** Venue's fee rate. Basis points: 10,000 = 100 %. Rounded down */
  readonly venue_trading_fee_bps: number;
  /** Collateral plus origination fee plus opening trading fee. Pips: 10,000 = 1.00 USD. Authoritative. Rounded up */
  readonly total_user_amount_usd_pips: string;
  /** Collateral plus origination fee plus opening trading fee. Dollars, for display; the pips are authoritative */
  readonly total_user_amount_usd: string;
  /** Collateral plus origination fee plus opening trading fee. USDC units: 1,000,000 = 1.00 USD. Rounded up */
  readonly total_user_amount_usdc_units: string;
  /** Token units: 1,000,000 = 1 token */
  readonly min_expected_position_token_units: string;
  readonly venue_market_id: `0x${string}`;
  readonly venue_token_id: string;
  readonly venue_vault_contract_address: `0x${string}`;
  /** ISO 8601 time in UTC */
  readonly expires_at: string;
  /** Echoed when partial-open was requested */
  readonly allow_partial_fill?: true;
  /** Basis points: 10,000 = 100 % */
  readonly min_fill_bps?: number;
  /** Only with `expand=max_gain`; excludes lifetime fees and may be negative */
  readonly max_gain?: {
    /** Maximum gain: tokens redeemed at 1 USD less the notional. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly gross_max_gain_usd_pips: string;
    /** Maximum gain: tokens redeemed at 1 USD less the notional. Dollars, for display; the pips are authoritative */
    readonly gross_max_gain_usd: string;
    /** Maximum gain: tokens redeemed at 1 USD less the notional. USDC units: 1,000,000 = 1.00 USD. Rounded down */
    readonly gross_max_gain_usdc_units: string;
    /** Gross maximum gain less origination and opening trading fee. Pips: 10,000 = 1.00 USD. Authoritative. Rounded down */
    readonly net_max_gain_usd_pips: string;
    /** Gross maximum gain less origination and opening trading fee. Dollars, for display; the pips are authoritative */
    readonly net_max_gain_usd: string;
    /** Gross maximum gain less origination and opening trading fee. USDC units: 1,000,000 = 1.00 USD. Rounded down */
    readonly net_max_gain_usdc_units: string;
  };
  readonly basis?: QuoteBasis;
  readonly on_chain_position_key: `0x${string}`;
  readonly position_seed: string;
  readonly position_seed_hex: `0x${string}`;
  /** EIP-191 signature over the 14 packed values */
  readonly contract_signature: `0x${string}`;
  readonly evm_chain_id: string;
  /** Unix time in seconds */
  readonly signature_expiry: string;
  readonly transaction?: OpeningTransaction;
  /** Never present on EVM chains */
  readonly swap_transaction?: string;
}

/** Only with `expand=basis` */
export interface QuoteBasis {
  /** Tokens expected for the whole notional */
  readonly position_token_units: string;
  /** Venue part of the expected trading fee */
  readonly venue_fee_usdc_units: string;
  /** Slippage of the request */
  readonly slippage_bps: number;
  /** Margin above the debt at which liquidation begins */
  readonly exit_buffer_bps: number;
  /** Route of the opening: `direct` trades at the venue, `fill` with fillers */
  readonly opening_route: 'direct' | 'fill';
}

export interface QuoteRequest {
  readonly market_ticker: string;
  readonly effective_side: 'yes' | 'no';
  readonly leverage_bps: number;
  /** Pips: 10,000 = 1.00 USD. Authoritative */
  readonly notional_amount_usd_pips: string;
  readonly slippage_bps: number;
  /** Default: venue */
  readonly provider?: 'venue';
  /** Default: false */
  readonly allow_revision?: boolean;
  /** Default: false */
  readonly allow_partial_fill?: boolean;
  /** Smallest fill to accept. Only with `allow_partial_fill: true`; a multiple of 500 */
  readonly min_fill_bps?: number;
}

export interface SampleEventRun {
  readonly event_count: number;
  readonly interval_ms: number;
}

export interface Token {
  readonly token: string;
  /** ISO 8601 time in UTC */
  readonly expires_at: string;
}

export interface TokenRequest {
  readonly wallet_address: string;
}

/** @deprecated */
export interface UnwindList {
  /** Basis points: 10,000 = 1x */
  readonly current_leverage_bps: number;
  /** Basis points: 10,000 = 1x */
  readonly origination_leverage_bps: number;
  readonly originated_at: string | null;
  readonly data: readonly ({
    /** ISO 8601 time in UTC */
    readonly executed_at: string;
    /** Basis points: 10,000 = 1x */
    readonly before_leverage_bps: number;
    /** Basis points: 10,000 = 1x */
    readonly after_leverage_bps: number;
    readonly reason: 'spread_blowout' | 'spread_spike' | 'spread_warning' | 'depth_decay' | 'depth_drain' | 'depth_entry_drain' | 'price_drop_warning' | 'price_drop_moderate' | 'price_drop_severe' | 'price_drop_full_exit' | 'activity_surge' | 'cancel_acceleration' | 'large_holder' | 'position_exposure' | 'last_trade_divergence' | 'crypto_move' | 'game_start' | 'lead_change' | 'post_hard_exit_losing' | 'stale_refresh' | 'unknown' | null;
    readonly reason_detail: string | null;
  } | PlannedUnwind)[];
  readonly has_more: boolean;
}

export interface Unwinds {
  /** Basis points: 10,000 = 1x */
  readonly current_leverage_bps: number;
  /** Basis points: 10,000 = 1x */
  readonly origination_leverage_bps: number;
  readonly originated_at: string | null;
  readonly data: readonly {
    /** ISO 8601 time in UTC */
    readonly executed_at: string;
    /** Basis points: 10,000 = 1x */
    readonly before_leverage_bps: number;
    /** Basis points: 10,000 = 1x */
    readonly after_leverage_bps: number;
    readonly reason: 'spread_blowout' | 'spread_spike' | 'spread_warning' | 'depth_decay' | 'depth_drain' | 'depth_entry_drain' | 'price_drop_warning' | 'price_drop_moderate' | 'price_drop_severe' | 'price_drop_full_exit' | 'activity_surge' | 'cancel_acceleration' | 'large_holder' | 'position_exposure' | 'last_trade_divergence' | 'crypto_move' | 'game_start' | 'lead_change' | 'post_hard_exit_losing' | 'stale_refresh' | 'unknown' | null;
    readonly reason_detail: string | null;
  }[];
  readonly has_more: boolean;
}
