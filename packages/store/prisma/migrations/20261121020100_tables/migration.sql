-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "partners" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "terms" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "partners_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "partner_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "markets" (
    "id" TEXT NOT NULL,
    "ticker" TEXT NOT NULL,
    "venue_market_id" TEXT NOT NULL,
    "question_id" TEXT,
    "oracle_address" TEXT,
    "yes_token_id" TEXT NOT NULL,
    "no_token_id" TEXT NOT NULL,
    "yes_outcome_id" INTEGER,
    "no_outcome_id" INTEGER,
    "title" TEXT,
    "yes_sub_title" TEXT,
    "category" TEXT NOT NULL,
    "event_ticker" TEXT NOT NULL,
    "event_title" TEXT NOT NULL,
    "series_ticker" TEXT,
    "cluster_key" TEXT,
    "tags" TEXT[],
    "status" TEXT NOT NULL,
    "close_time" TIMESTAMPTZ(3),
    "latest_enter_at" TIMESTAMPTZ(3),
    "discovered_at" TIMESTAMPTZ(3) NOT NULL,
    "record" JSONB NOT NULL,
    "payout_numerators" TEXT[],
    "payout_denominator" TEXT,
    "payouts_reported_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "version" BIGINT NOT NULL DEFAULT next_market_version(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "markets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "drafts" (
    "id" TEXT NOT NULL,
    "partner_id" TEXT NOT NULL,
    "wallet_address" TEXT NOT NULL,
    "market_id" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "seed_prefix" TEXT NOT NULL,
    "promotion_count" INTEGER NOT NULL DEFAULT 0,
    "request" JSONB NOT NULL,
    "figures" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "drafts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quotes" (
    "id" TEXT NOT NULL,
    "draft_id" TEXT,
    "partner_id" TEXT NOT NULL,
    "wallet_address" TEXT NOT NULL,
    "market_id" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "position_key" TEXT NOT NULL,
    "position_id" TEXT NOT NULL,
    "position_seed" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "signature_expiry_seconds" BIGINT NOT NULL,
    "request" JSONB NOT NULL,
    "figures" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quotes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reservations" (
    "position_key" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "counter_keys" TEXT[],
    "in_flight_notional_usd_pips" BIGINT NOT NULL,
    "in_flight_borrow_usdc_units" BIGINT NOT NULL,
    "active_notional_usd_pips" BIGINT NOT NULL,
    "pending_borrow_usdc_units" BIGINT NOT NULL,
    "lent_borrow_usdc_units" BIGINT NOT NULL,
    "quoted_notional_usd_pips" BIGINT NOT NULL,
    "quoted_borrow_usdc_units" BIGINT NOT NULL,
    "release_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reservations_pkey" PRIMARY KEY ("position_key")
);

-- CreateTable
CREATE TABLE "usage_counters" (
    "key" TEXT NOT NULL,
    "in_flight_notional_usd_pips" BIGINT NOT NULL,
    "in_flight_borrow_usdc_units" BIGINT NOT NULL,
    "active_notional_usd_pips" BIGINT NOT NULL,
    "pending_borrow_usdc_units" BIGINT NOT NULL,
    "lent_borrow_usdc_units" BIGINT NOT NULL,

    CONSTRAINT "usage_counters_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "positions" (
    "id" TEXT NOT NULL,
    "position_key" TEXT NOT NULL,
    "account_address" TEXT NOT NULL,
    "partner_id" TEXT,
    "quote_id" TEXT,
    "wallet_address" TEXT NOT NULL,
    "market_id" TEXT,
    "side" TEXT NOT NULL,
    "venue_market_id" TEXT NOT NULL,
    "venue_token_id" TEXT NOT NULL,
    "risk_mode" TEXT NOT NULL,
    "chain_state" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "close_reason" TEXT,
    "failure_reason" TEXT,
    "frozen_reason" TEXT,
    "quoted_collateral_usdc_units" BIGINT NOT NULL,
    "quoted_notional_usdc_units" BIGINT NOT NULL,
    "quoted_origination_fee_usdc_units" BIGINT NOT NULL,
    "quoted_venue_fee_usdc_units" BIGINT NOT NULL,
    "quoted_token_units" BIGINT NOT NULL,
    "entry_price_pips" BIGINT NOT NULL,
    "leverage_bps" BIGINT NOT NULL,
    "origination_fee_bps" BIGINT NOT NULL,
    "protocol_origination_fee_bps" BIGINT NOT NULL,
    "partner_origination_fee_bps" BIGINT NOT NULL,
    "partner_trading_fee_bps" BIGINT NOT NULL,
    "lifetime_fee_apr_bps" BIGINT NOT NULL,
    "liquidation_fee_bps" BIGINT NOT NULL,
    "exit_buffer_bps" BIGINT NOT NULL,
    "slippage_bps" BIGINT NOT NULL,
    "min_position_token_units" BIGINT NOT NULL,
    "max_liquidation_price_pips" BIGINT NOT NULL,
    "contract_min_fill_bps" BIGINT NOT NULL,
    "allow_partial_fill" BOOLEAN,
    "min_fill_bps" BIGINT,
    "spent_usdc_units" BIGINT,
    "opened_token_units" BIGINT,
    "opened_mark_price_pips" BIGINT,
    "token_units" BIGINT NOT NULL,
    "principal_usdc_units" BIGINT NOT NULL,
    "collateral_usdc_units" BIGINT NOT NULL,
    "pending_lifetime_fee_usdc_units" BIGINT NOT NULL,
    "origination_fee_usdc_units" BIGINT NOT NULL,
    "open_venue_fee_usdc_units" BIGINT NOT NULL,
    "sale_venue_fee_usdc_units" BIGINT NOT NULL,
    "structural_leverage_bps" BIGINT NOT NULL,
    "leverage_bps_seconds" BIGINT NOT NULL,
    "total_origination_fee_usdc_units" BIGINT NOT NULL,
    "total_open_venue_fee_usdc_units" BIGINT NOT NULL,
    "total_sale_venue_fee_usdc_units" BIGINT NOT NULL,
    "proceeds_usdc_units" BIGINT NOT NULL,
    "refunded_usdc_units" BIGINT NOT NULL,
    "repaid_margin_usdc_units" BIGINT NOT NULL,
    "collected_lifetime_fee_usdc_units" BIGINT NOT NULL,
    "collected_liquidation_fee_usdc_units" BIGINT NOT NULL,
    "bad_debt_usdc_units" BIGINT NOT NULL,
    "live_purpose" TEXT,
    "live_order_hash" TEXT,
    "live_valid_until" TIMESTAMPTZ(3),
    "close_requested_token_units" BIGINT,
    "close_requested_min_price_pips" BIGINT,
    "close_requested_at" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),
    "close_deferred_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "opened_at" TIMESTAMPTZ(3),
    "principal_changed_at" TIMESTAMPTZ(3),
    "leverage_changed_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "updated_block_number" BIGINT NOT NULL,

    CONSTRAINT "positions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "position_transactions" (
    "position_key" TEXT NOT NULL,
    "group" TEXT NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "exchange_transaction_hashes" TEXT[],
    "routed" BOOLEAN NOT NULL,

    CONSTRAINT "position_transactions_pkey" PRIMARY KEY ("position_key","group","transaction_hash")
);

-- CreateTable
CREATE TABLE "position_unwinds" (
    "position_key" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "executed_at" TIMESTAMPTZ(3) NOT NULL,
    "before_leverage_bps" BIGINT NOT NULL,
    "after_leverage_bps" BIGINT NOT NULL,
    "reason" TEXT,
    "block_number" BIGINT NOT NULL,

    CONSTRAINT "position_unwinds_pkey" PRIMARY KEY ("position_key","sequence")
);

-- CreateTable
CREATE TABLE "position_partial_closes" (
    "position_key" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "executed_at" TIMESTAMPTZ(3) NOT NULL,
    "sold_token_units" BIGINT NOT NULL,
    "sale_proceeds_usdc_units" BIGINT NOT NULL,
    "capital_repaid_usdc_units" BIGINT NOT NULL,
    "user_payout_usdc_units" BIGINT NOT NULL,
    "remaining_token_units" BIGINT NOT NULL,
    "new_leverage_bps" BIGINT NOT NULL,
    "block_number" BIGINT NOT NULL,

    CONSTRAINT "position_partial_closes_pkey" PRIMARY KEY ("position_key","sequence")
);

-- CreateTable
CREATE TABLE "outbox_events" (
    "sequence" BIGINT NOT NULL DEFAULT next_outbox_sequence(),
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "partner_id" TEXT,
    "wallet_address" TEXT,
    "position_id" TEXT,
    "market_id" TEXT,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outbox_events_pkey" PRIMARY KEY ("sequence")
);

-- CreateTable
CREATE TABLE "intents" (
    "id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "signer_address" TEXT,
    "nonce" INTEGER,
    "plan" JSONB NOT NULL,
    "order_hash" TEXT,
    "venue_order_id" TEXT,
    "transaction_hash" TEXT,
    "block_number" BIGINT,
    "outcome" JSONB,
    "fence_token" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "intents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "intent_transactions" (
    "hash" TEXT NOT NULL,
    "intent_id" TEXT NOT NULL,
    "raw_transaction" TEXT NOT NULL,
    "max_fee_per_gas_wei" DECIMAL(38,0) NOT NULL,
    "max_priority_fee_wei" DECIMAL(38,0) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "broadcast_at" TIMESTAMPTZ(3),

    CONSTRAINT "intent_transactions_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "signer_lanes" (
    "signer_address" TEXT NOT NULL,
    "next_nonce" INTEGER NOT NULL,

    CONSTRAINT "signer_lanes_pkey" PRIMARY KEY ("signer_address")
);

-- CreateTable
CREATE TABLE "chain_cursors" (
    "chain_key" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "finalized_number" BIGINT NOT NULL,
    "block_time" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_cursors_pkey" PRIMARY KEY ("chain_key")
);

-- CreateTable
CREATE TABLE "chain_blocks" (
    "chain_key" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "parent_hash" TEXT NOT NULL,
    "block_time" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_blocks_pkey" PRIMARY KEY ("chain_key","block_number")
);

-- CreateTable
CREATE TABLE "chain_events" (
    "chain_key" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "transaction_index" INTEGER NOT NULL,
    "contract_address" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "subject" TEXT,
    "arguments" JSONB NOT NULL,
    "block_time" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_events_pkey" PRIMARY KEY ("chain_key","block_number","log_index")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "response_status" INTEGER,
    "response_body" TEXT,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("scope","key")
);

-- CreateTable
CREATE TABLE "lock_fences" (
    "name" TEXT NOT NULL,
    "fence_token" BIGINT NOT NULL,

    CONSTRAINT "lock_fences_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "heartbeats" (
    "name" TEXT NOT NULL,
    "last_beat_at" TIMESTAMPTZ(3) NOT NULL,
    "last_success_at" TIMESTAMPTZ(3),
    "detail" JSONB NOT NULL,

    CONSTRAINT "heartbeats_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "partners_name_key" ON "partners"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_partner_id_environment_idx" ON "api_keys"("partner_id", "environment");

-- CreateIndex
CREATE UNIQUE INDEX "markets_ticker_key" ON "markets"("ticker");

-- CreateIndex
CREATE UNIQUE INDEX "markets_venue_market_id_key" ON "markets"("venue_market_id");

-- CreateIndex
CREATE INDEX "markets_event_ticker_idx" ON "markets"("event_ticker");

-- CreateIndex
CREATE INDEX "markets_series_ticker_idx" ON "markets"("series_ticker");

-- CreateIndex
CREATE INDEX "markets_yes_token_id_idx" ON "markets"("yes_token_id");

-- CreateIndex
CREATE INDEX "markets_no_token_id_idx" ON "markets"("no_token_id");

-- CreateIndex
CREATE INDEX "markets_version_idx" ON "markets"("version");

-- CreateIndex
CREATE INDEX "drafts_expires_at_idx" ON "drafts"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "quotes_digest_key" ON "quotes"("digest");

-- CreateIndex
CREATE INDEX "quotes_position_key_idx" ON "quotes"("position_key");

-- CreateIndex
CREATE UNIQUE INDEX "positions_position_key_key" ON "positions"("position_key");

-- CreateIndex
CREATE INDEX "positions_wallet_address_partner_id_created_at_id_idx" ON "positions"("wallet_address", "partner_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "positions_market_id_idx" ON "positions"("market_id");

-- CreateIndex
CREATE INDEX "positions_status_idx" ON "positions"("status");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_events_id_key" ON "outbox_events"("id");

-- CreateIndex
CREATE INDEX "outbox_events_partner_id_sequence_idx" ON "outbox_events"("partner_id", "sequence");

-- CreateIndex
CREATE INDEX "intents_state_idx" ON "intents"("state");

-- CreateIndex
CREATE INDEX "intents_order_hash_idx" ON "intents"("order_hash");

-- CreateIndex
CREATE UNIQUE INDEX "intents_subject_operation_attempt_key" ON "intents"("subject", "operation", "attempt");

-- CreateIndex
CREATE UNIQUE INDEX "intents_signer_address_nonce_key" ON "intents"("signer_address", "nonce");

-- CreateIndex
CREATE INDEX "intent_transactions_intent_id_idx" ON "intent_transactions"("intent_id");

-- CreateIndex
CREATE INDEX "chain_events_subject_idx" ON "chain_events"("subject");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partners"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
