-- Database of version 1.0: sequences, tables, rules of the tables, indexes, functions and triggers.

-- Order of outbox events within a transaction.
CREATE SEQUENCE outbox_sequence;
CREATE FUNCTION next_outbox_sequence() RETURNS bigint LANGUAGE sql VOLATILE
  AS $$ SELECT nextval('outbox_sequence') $$;

-- Version of a market row. A version grows in commit order: the lock is held until the commit.
CREATE SEQUENCE market_version;
CREATE FUNCTION next_market_version() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('market_version', 0));
  RETURN nextval('market_version');
END
$$;

-- Tables, generated from schema.prisma.

CREATE TABLE "partners" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "terms" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "partners_pkey" PRIMARY KEY ("id")
);

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
    "settling_after" TEXT,
    "unresolved_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "version" BIGINT NOT NULL DEFAULT next_market_version(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "markets_pkey" PRIMARY KEY ("id")
);

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
    "risk_signature" TEXT NOT NULL,

    CONSTRAINT "quotes_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "usage_counters" (
    "key" TEXT NOT NULL,
    "in_flight_notional_usd_pips" BIGINT NOT NULL,
    "in_flight_borrow_usdc_units" BIGINT NOT NULL,
    "active_notional_usd_pips" BIGINT NOT NULL,
    "pending_borrow_usdc_units" BIGINT NOT NULL,
    "lent_borrow_usdc_units" BIGINT NOT NULL,

    CONSTRAINT "usage_counters_pkey" PRIMARY KEY ("key")
);

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
    "unwind_paid_usdc_units" BIGINT NOT NULL,
    "structural_leverage_bps" BIGINT NOT NULL,
    "leverage_bps_seconds" BIGINT NOT NULL,
    "total_origination_fee_usdc_units" BIGINT NOT NULL,
    "total_open_venue_fee_usdc_units" BIGINT NOT NULL,
    "total_sale_venue_fee_usdc_units" BIGINT NOT NULL,
    "proceeds_usdc_units" BIGINT NOT NULL,
    "refunded_usdc_units" BIGINT NOT NULL,
    "deferred_usdc_units" BIGINT NOT NULL,
    "repaid_margin_usdc_units" BIGINT NOT NULL,
    "collected_lifetime_fee_usdc_units" BIGINT NOT NULL,
    "collected_liquidation_fee_usdc_units" BIGINT NOT NULL,
    "bad_debt_usdc_units" BIGINT NOT NULL,
    "live_purpose" TEXT,
    "live_order_hash" TEXT,
    "live_valid_until" TIMESTAMPTZ(3),
    "live_authorized_at" TIMESTAMPTZ(3),
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
    "quoted_risk" JSONB,

    CONSTRAINT "positions_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "position_unwinds" (
    "position_key" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "executed_at" TIMESTAMPTZ(3) NOT NULL,
    "before_leverage_bps" BIGINT NOT NULL,
    "after_leverage_bps" BIGINT NOT NULL,
    "reason" TEXT,
    "block_number" BIGINT NOT NULL,
    "rung" INTEGER,

    CONSTRAINT "position_unwinds_pkey" PRIMARY KEY ("position_key","sequence")
);

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

CREATE TABLE "outbox_events" (
    "sequence" BIGINT NOT NULL DEFAULT next_outbox_sequence(),
    "transaction_id" xid8 NOT NULL DEFAULT pg_current_xact_id(),
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

CREATE TABLE "signer_nonces" (
    "signer_address" TEXT NOT NULL,
    "next_nonce" INTEGER NOT NULL,

    CONSTRAINT "signer_nonces_pkey" PRIMARY KEY ("signer_address")
);

CREATE TABLE "service_binding" (
    "id" INTEGER NOT NULL,
    "chain_id" BIGINT NOT NULL,
    "vault_address" TEXT NOT NULL,
    "bound_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_binding_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "chain_cursors" (
    "chain_key" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "finalized_number" BIGINT NOT NULL,
    "block_time" TIMESTAMPTZ(3) NOT NULL,
    "verified_number" BIGINT,

    CONSTRAINT "chain_cursors_pkey" PRIMARY KEY ("chain_key")
);

CREATE TABLE "chain_blocks" (
    "chain_key" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "parent_hash" TEXT NOT NULL,
    "block_time" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_blocks_pkey" PRIMARY KEY ("chain_key","block_number")
);

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

CREATE TABLE "lock_fences" (
    "name" TEXT NOT NULL,
    "fence_token" BIGINT NOT NULL,

    CONSTRAINT "lock_fences_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "stopped_oracles" (
    "address" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "stopped_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stopped_oracles_pkey" PRIMARY KEY ("address")
);

CREATE TABLE "exit_sales" (
    "position_key" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "category" TEXT NOT NULL,
    "duration_ms" INTEGER NOT NULL,

    CONSTRAINT "exit_sales_pkey" PRIMARY KEY ("position_key","due_at")
);

CREATE TABLE "exit_times" (
    "category" TEXT NOT NULL,
    "exit_seconds" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "exit_times_pkey" PRIMARY KEY ("category")
);

CREATE TABLE "heartbeats" (
    "name" TEXT NOT NULL,
    "last_heartbeat_at" TIMESTAMPTZ(3) NOT NULL,
    "last_success_at" TIMESTAMPTZ(3),
    "detail" JSONB NOT NULL,

    CONSTRAINT "heartbeats_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

CREATE UNIQUE INDEX "partners_name_key" ON "partners"("name");

CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

CREATE INDEX "api_keys_partner_id_environment_idx" ON "api_keys"("partner_id", "environment");

CREATE UNIQUE INDEX "markets_ticker_key" ON "markets"("ticker");

CREATE UNIQUE INDEX "markets_venue_market_id_key" ON "markets"("venue_market_id");

CREATE INDEX "markets_event_ticker_idx" ON "markets"("event_ticker");

CREATE INDEX "markets_series_ticker_idx" ON "markets"("series_ticker");

CREATE INDEX "markets_yes_token_id_idx" ON "markets"("yes_token_id");

CREATE INDEX "markets_no_token_id_idx" ON "markets"("no_token_id");

CREATE INDEX "markets_version_idx" ON "markets"("version");

CREATE INDEX "drafts_expires_at_idx" ON "drafts"("expires_at");

CREATE UNIQUE INDEX "quotes_digest_key" ON "quotes"("digest");

CREATE INDEX "quotes_position_key_idx" ON "quotes"("position_key");

CREATE UNIQUE INDEX "positions_position_key_key" ON "positions"("position_key");

CREATE INDEX "positions_wallet_address_partner_id_created_at_id_idx" ON "positions"("wallet_address", "partner_id", "created_at" DESC, "id");

CREATE INDEX "positions_market_id_idx" ON "positions"("market_id");

CREATE INDEX "positions_status_idx" ON "positions"("status");

CREATE INDEX "positions_updated_block_number_idx" ON "positions"("updated_block_number");

CREATE UNIQUE INDEX "outbox_events_id_key" ON "outbox_events"("id");

CREATE INDEX "outbox_events_transaction_id_sequence_idx" ON "outbox_events"("transaction_id", "sequence");

CREATE INDEX "outbox_events_created_at_idx" ON "outbox_events"("created_at");

CREATE INDEX "intents_state_idx" ON "intents"("state");

CREATE INDEX "intents_order_hash_idx" ON "intents"("order_hash");

CREATE UNIQUE INDEX "intents_subject_operation_attempt_key" ON "intents"("subject", "operation", "attempt");

CREATE UNIQUE INDEX "intents_signer_address_nonce_key" ON "intents"("signer_address", "nonce");

CREATE INDEX "intent_transactions_intent_id_idx" ON "intent_transactions"("intent_id");

CREATE INDEX "chain_events_subject_idx" ON "chain_events"("subject");

CREATE INDEX "chain_events_chain_key_name_idx" ON "chain_events"("chain_key", "name");

CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

CREATE INDEX "exit_sales_category_due_at_idx" ON "exit_sales"("category", "due_at");

CREATE INDEX "rate_limits_expire_idx" ON "rate_limits"("expire");

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partners"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules of the tables.

-- No counter is ever negative: the statement that would make it so fails.
ALTER TABLE usage_counters ADD CONSTRAINT usage_counters_never_negative CHECK (
  in_flight_notional_usd_pips >= 0 AND in_flight_borrow_usdc_units >= 0 AND active_notional_usd_pips >= 0
  AND pending_borrow_usdc_units >= 0 AND lent_borrow_usdc_units >= 0
);
ALTER TABLE reservations ADD CONSTRAINT reservations_state CHECK (state IN ('live', 'released', 'used'));
ALTER TABLE service_binding ADD CONSTRAINT service_binding_single CHECK (id = 1);

-- Every quote updates its counters. Free space in each page keeps these updates off the index.
ALTER TABLE usage_counters SET (fillfactor = 50);
ALTER TABLE reservations SET (fillfactor = 80);

-- The loss of rate-limit windows in a crash is harmless; a disk write for each request is not.
ALTER TABLE rate_limits SET UNLOGGED;

-- Pieces of one, two and three characters of a text. A match contains every piece of the search text. Built-in types
-- need no extension; the cost keeps planners from computing the pieces of every row.
CREATE FUNCTION text_pieces(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
  SELECT coalesce(array_agg(piece), '{}')
  FROM string_to_array(value, NULL) AS characters,
    unnest(characters, characters[2:], characters[3:]) AS place (first, second, third),
    unnest(ARRAY[first, first || second, first || second || third]) AS piece
  WHERE piece IS NOT NULL
$$;
-- Longest pieces of a search text.
CREATE FUNCTION search_pieces(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(DISTINCT substr(value, place, 3) COLLATE "C")
  FROM generate_series(1, greatest(1, length(value) - 2)) AS place
$$;

-- Partial indexes: a Prisma schema cannot describe them.

-- Due work of the keeper: markets to register, to follow and to settle.
CREATE INDEX "markets_unregistered" ON "markets" ("close_time", "id")
  WHERE status = 'active' AND oracle_address IS NOT NULL AND question_id IS NOT NULL
    AND (yes_outcome_id IS NULL OR no_outcome_id IS NULL);
CREATE INDEX "markets_unfinished" ON "markets" ("close_time", "id") WHERE status <> 'finalized';
-- Earliest time of payouts on chain: at once when trading stopped or the oracle has answered, otherwise the close.
CREATE INDEX "markets_unresolved" ON "markets" ((CASE
    WHEN status <> 'active' OR record ->> 'resolutionStatus' <> 'none' THEN '-infinity'::timestamptz
    ELSE coalesce(close_time, 'infinity'::timestamptz) END))
  WHERE status <> 'finalized';
CREATE INDEX "markets_settling" ON "markets" ("id") WHERE settling_after IS NOT NULL;

-- Pages of finalized markets: one index for each order of a page and each filter.
CREATE INDEX "markets_finalized_by_ticker" ON "markets" ("ticker" COLLATE "C") WHERE status = 'finalized';
CREATE INDEX "markets_finalized_by_discovery" ON "markets" ("discovered_at" DESC, "ticker" COLLATE "C")
  WHERE status = 'finalized';
CREATE INDEX "markets_finalized_by_series" ON "markets" ("series_ticker", "ticker" COLLATE "C")
  WHERE status = 'finalized';
CREATE INDEX "markets_finalized_by_category" ON "markets" ("category", "ticker" COLLATE "C")
  WHERE status = 'finalized';
CREATE INDEX "markets_finalized_by_category_discovery" ON "markets" (
  "category", "discovered_at" DESC, "ticker" COLLATE "C"
  ) WHERE status = 'finalized';
CREATE INDEX "markets_finalized_by_series_discovery" ON "markets" (
  "series_ticker", "discovered_at" DESC, "ticker" COLLATE "C"
  ) WHERE status = 'finalized';
CREATE INDEX "markets_finalized_totals" ON "markets" ("category", "series_ticker") WHERE status = 'finalized';
-- Search finds a part of the title or exactly the ticker, in any case.
CREATE INDEX "markets_finalized_title_pieces" ON "markets" USING gin (text_pieces(lower("title")))
  WITH (fastupdate = off) WHERE status = 'finalized';
CREATE INDEX "markets_finalized_lower_ticker" ON "markets" (lower("ticker")) WHERE status = 'finalized';

-- Positions: awaiting review, unfinished, unfinished without a listed market or stored quote, and in debt.
CREATE INDEX "positions_frozen" ON "positions" ("created_at", "id") WHERE frozen_reason IS NOT NULL;
CREATE INDEX "positions_active" ON "positions" ("partner_id", "wallet_address", "id")
  WHERE status IN ('pending', 'open', 'unwinding', 'closing', 'settling');
CREATE INDEX "positions_active_of_market" ON "positions" ("market_id", "id")
  WHERE status IN ('pending', 'open', 'unwinding', 'closing', 'settling');
CREATE INDEX "positions_unlisted" ON "positions" ("created_at", "id")
  WHERE market_id IS NULL AND status IN ('pending', 'open', 'unwinding', 'closing', 'settling');
CREATE INDEX "positions_unquoted" ON "positions" ("id")
  WHERE quote_id IS NULL AND status IN ('pending', 'open', 'unwinding', 'closing', 'settling');
CREATE INDEX "positions_owed" ON "positions" ("principal_usdc_units") WHERE principal_usdc_units > 0;
-- Refunded before the first order: their accounts have no code.
CREATE INDEX "positions_never_lent" ON "positions" ("id") WHERE opened_mark_price_pips IS NULL AND chain_state <> 'pending';

-- Reservations and intents by age, for release and deletion, and intents in progress.
CREATE INDEX reservations_due ON reservations (release_at) WHERE state = 'live';
CREATE INDEX "reservations_released" ON "reservations" ("release_at") WHERE state = 'released';
CREATE INDEX "intents_ended" ON "intents" ("updated_at")
  WHERE state IN ('final', 'reverted', 'replaced', 'dropped')
    AND operation NOT IN ('refund', 'defer_close', 'authorize_unwind', 'register_outcome');
CREATE INDEX "intents_under_way" ON "intents" ("subject") WHERE state IN ('prepared', 'signed', 'broadcast', 'reorged');

-- Events that a wallet, a partner or the market gateway reads after a lost connection.
CREATE INDEX "outbox_events_wallet" ON "outbox_events" ("partner_id", "wallet_address", "transaction_id", "sequence")
  WHERE partner_id IS NOT NULL;
CREATE INDEX "outbox_events_partner" ON "outbox_events" ("partner_id", "transaction_id", "sequence")
  WHERE partner_id IS NOT NULL AND type <> 'notification';
CREATE INDEX "outbox_events_markets" ON "outbox_events" ("transaction_id", "sequence") WHERE partner_id IS NULL;
-- The last change of a market, and the order of the events of a position.
CREATE INDEX "outbox_events_market" ON "outbox_events" ("market_id", "sequence") WHERE partner_id IS NULL;
CREATE INDEX "outbox_events_position" ON "outbox_events" ("position_id", "transaction_id")
  WHERE position_id IS NOT NULL;

-- Usage of caps.

-- Move a reservation to new contributions and its counters by the difference. Counters are locked in the order of
-- counter_keys, the same in every function, so that no two transactions deadlock.
CREATE FUNCTION apply_usage(
  p_keys text[],
  p_in_flight_notional bigint,
  p_in_flight_borrow bigint,
  p_active_notional bigint,
  p_pending_borrow bigint,
  p_lent_borrow bigint
) RETURNS SETOF usage_counters LANGUAGE sql VOLATILE AS $$
  INSERT INTO usage_counters AS counter (
    key, in_flight_notional_usd_pips, in_flight_borrow_usdc_units, active_notional_usd_pips,
    pending_borrow_usdc_units, lent_borrow_usdc_units
  )
  -- The proposed row must pass the check even when the deltas go down and an existing row takes them.
  SELECT entry.key, greatest(p_in_flight_notional, 0), greatest(p_in_flight_borrow, 0),
    greatest(p_active_notional, 0), greatest(p_pending_borrow, 0), greatest(p_lent_borrow, 0)
  FROM unnest(p_keys) WITH ORDINALITY AS entry (key, place)
  ORDER BY entry.place
  ON CONFLICT (key) DO UPDATE SET
    in_flight_notional_usd_pips = counter.in_flight_notional_usd_pips + p_in_flight_notional,
    in_flight_borrow_usdc_units = counter.in_flight_borrow_usdc_units + p_in_flight_borrow,
    active_notional_usd_pips = counter.active_notional_usd_pips + p_active_notional,
    pending_borrow_usdc_units = counter.pending_borrow_usdc_units + p_pending_borrow,
    lent_borrow_usdc_units = counter.lent_borrow_usdc_units + p_lent_borrow
  RETURNING counter.*
$$;

-- Set the contribution of a position to the counters. A repetition changes nothing: counters move by the difference.
CREATE FUNCTION set_position_usage(
  p_position_key text,
  p_keys text[],
  p_active_notional bigint,
  p_pending_borrow bigint,
  p_lent_borrow bigint,
  p_at timestamptz
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  held reservations;
BEGIN
  INSERT INTO reservations AS reservation (
    position_key, state, counter_keys, in_flight_notional_usd_pips, in_flight_borrow_usdc_units,
    active_notional_usd_pips, pending_borrow_usdc_units, lent_borrow_usdc_units,
    quoted_notional_usd_pips, quoted_borrow_usdc_units, release_at
  ) VALUES (p_position_key, 'used', p_keys, 0, 0, 0, 0, 0, 0, 0, p_at)
  ON CONFLICT (position_key) DO UPDATE SET position_key = EXCLUDED.position_key
  RETURNING reservation.* INTO held;
  PERFORM apply_usage(
    held.counter_keys,
    -held.in_flight_notional_usd_pips,
    -held.in_flight_borrow_usdc_units,
    p_active_notional - held.active_notional_usd_pips,
    p_pending_borrow - held.pending_borrow_usdc_units,
    p_lent_borrow - held.lent_borrow_usdc_units
  );
  UPDATE reservations SET
    state = 'used',
    in_flight_notional_usd_pips = 0,
    in_flight_borrow_usdc_units = 0,
    active_notional_usd_pips = p_active_notional,
    pending_borrow_usdc_units = p_pending_borrow,
    lent_borrow_usdc_units = p_lent_borrow
  WHERE position_key = p_position_key;
END
$$;

-- Undo a position whose creation was reorganised out: its reservation is live again while it may still be used.
CREATE FUNCTION forget_position_usage(p_position_key text, p_at timestamptz) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  held reservations;
  is_alive boolean;
BEGIN
  SELECT * INTO held FROM reservations WHERE position_key = p_position_key AND state = 'used' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  is_alive := held.release_at > p_at;
  PERFORM apply_usage(
    held.counter_keys,
    CASE WHEN is_alive THEN held.quoted_notional_usd_pips ELSE 0 END,
    CASE WHEN is_alive THEN held.quoted_borrow_usdc_units ELSE 0 END,
    -held.active_notional_usd_pips,
    -held.pending_borrow_usdc_units,
    -held.lent_borrow_usdc_units
  );
  UPDATE reservations SET
    state = CASE WHEN is_alive THEN 'live' ELSE 'released' END,
    in_flight_notional_usd_pips = CASE WHEN is_alive THEN quoted_notional_usd_pips ELSE 0 END,
    in_flight_borrow_usdc_units = CASE WHEN is_alive THEN quoted_borrow_usdc_units ELSE 0 END,
    active_notional_usd_pips = 0,
    pending_borrow_usdc_units = 0,
    lent_borrow_usdc_units = 0
  WHERE position_key = p_position_key;
END
$$;

-- Release a reservation after its grace period. False when it is not due, released or used.
CREATE FUNCTION release_reservation(p_position_key text, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  held reservations;
BEGIN
  SELECT * INTO held FROM reservations
  WHERE position_key = p_position_key AND state = 'live' AND release_at <= p_at
  FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM apply_usage(
    held.counter_keys, -held.in_flight_notional_usd_pips, -held.in_flight_borrow_usdc_units, 0, 0, 0
  );
  UPDATE reservations SET state = 'released', in_flight_notional_usd_pips = 0, in_flight_borrow_usdc_units = 0
  WHERE position_key = p_position_key;
  RETURN true;
END
$$;

-- Quotes.

-- Take one point from each named bucket in one statement. A bucket that is named twice is charged twice: each charge
-- sees the count it would see alone, in the given order. A null key charges nothing.
CREATE FUNCTION charge_buckets(p_keys text[], p_window_ms bigint[], p_clock_ms bigint)
RETURNS TABLE (place bigint, points bigint, expire bigint) LANGUAGE sql VOLATILE AS $$
  WITH asked AS (
    SELECT entry.key, entry.window_ms, entry.place,
      row_number() OVER (PARTITION BY entry.key ORDER BY entry.place) AS turn,
      count(*) OVER (PARTITION BY entry.key) AS taken
    FROM unnest(p_keys, p_window_ms) WITH ORDINALITY AS entry (key, window_ms, place)
    WHERE entry.key IS NOT NULL
  ), held AS (
    INSERT INTO rate_limits AS bucket (key, points, expire)
    -- In order of key, so that two calls never wait for each other in a circle.
    SELECT asked.key, asked.taken, p_clock_ms + asked.window_ms FROM asked WHERE asked.turn = 1 ORDER BY asked.key
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN bucket.expire <= p_clock_ms THEN EXCLUDED.points ELSE bucket.points + EXCLUDED.points END,
      expire = CASE WHEN bucket.expire <= p_clock_ms THEN EXCLUDED.expire ELSE bucket.expire END
    RETURNING bucket.key, bucket.points, bucket.expire
  )
  SELECT asked.place, held.points - asked.taken + asked.turn, held.expire FROM asked JOIN held ON held.key = asked.key
$$;

-- Position of a counter in the order in which every transaction locks counters: by this rank, then by key. A key
-- begins with its scope; the counter that most quotes share comes last.
CREATE FUNCTION counter_rank(p_key text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_position(ARRAY['user', 'cluster', 'side', 'market', 'partner', 'global'], split_part(p_key, ':', 1))
$$;

-- Reserves and stores quotes, all of them or none: 'reserved', 'refused' when they do not all fit, 'used' when the
-- position of one exists already. An item has {quote, position_key, keys, notional, borrow, release_at, limits}.
-- `limits` has the caps of a counter by its scope: notional (active and in flight), borrow (in flight, pending and
-- lent) and promised (in flight and pending). A cap that is null or absent bounds nothing.
CREATE FUNCTION reserve_together(p_items jsonb) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  outcome text := 'refused';
  new_keys text[];
  known record;
  known_count int := 0;
  over_count int;
BEGIN
  WITH made AS (
    INSERT INTO reservations (
      position_key, state, counter_keys, in_flight_notional_usd_pips, in_flight_borrow_usdc_units,
      active_notional_usd_pips, pending_borrow_usdc_units, lent_borrow_usdc_units,
      quoted_notional_usd_pips, quoted_borrow_usdc_units, release_at
    )
    SELECT item.position_key, 'live', item.keys, item.notional, item.borrow, 0, 0, 0, item.notional, item.borrow,
      item.release_at
    FROM jsonb_to_recordset(p_items) AS item (
      position_key text, keys text[], notional bigint, borrow bigint, release_at timestamptz
    )
    ORDER BY item.position_key
    ON CONFLICT (position_key) DO NOTHING
    RETURNING position_key
  )
  SELECT coalesce(array_agg(position_key), '{}') INTO new_keys FROM made;

  IF cardinality(new_keys) < jsonb_array_length(p_items) THEN
    -- Promotions of one draft share a reservation, as large as the largest of them. The lock makes them take turns.
    FOR known IN
      SELECT (entry.place - 1)::text AS place, item.notional, item.borrow, item.release_at,
        held.position_key, held.state, held.counter_keys,
        greatest(item.notional - held.in_flight_notional_usd_pips, 0) AS more_notional,
        greatest(item.borrow - held.in_flight_borrow_usdc_units, 0) AS more_borrow
      FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place),
        jsonb_to_record(entry.item) AS item (
          position_key text, notional bigint, borrow bigint, release_at timestamptz
        )
        JOIN reservations AS held ON held.position_key = item.position_key
      WHERE held.position_key <> ALL (new_keys)
      ORDER BY held.position_key FOR UPDATE OF held
    LOOP
      IF known.state = 'used' THEN
        outcome := 'used';
        RAISE EXCEPTION 'a position exists already' USING ERRCODE = 'QT001';
      END IF;
      known_count := known_count + 1;
      UPDATE reservations SET
        state = 'live',
        in_flight_notional_usd_pips = in_flight_notional_usd_pips + known.more_notional,
        in_flight_borrow_usdc_units = in_flight_borrow_usdc_units + known.more_borrow,
        quoted_notional_usd_pips = greatest(quoted_notional_usd_pips, known.notional),
        quoted_borrow_usdc_units = greatest(quoted_borrow_usdc_units, known.borrow),
        release_at = CASE state WHEN 'live' THEN greatest(release_at, known.release_at) ELSE known.release_at END
      WHERE position_key = known.position_key;
      -- From here on the item is what it adds, to the counters of its reservation.
      p_items := jsonb_set(p_items, ARRAY[known.place], (p_items -> known.place::int) || jsonb_build_object(
        'notional', known.more_notional, 'borrow', known.more_borrow, 'keys', known.counter_keys
      ));
    END LOOP;
    IF cardinality(new_keys) + known_count < jsonb_array_length(p_items) THEN
      RAISE EXCEPTION 'a reservation was removed meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;

  WITH entry AS (
    SELECT counter.key, item.notional, item.borrow, item.limits -> split_part(counter.key, ':', 1) AS caps
    FROM jsonb_to_recordset(p_items) AS item (keys text[], notional bigint, borrow bigint, limits jsonb),
      unnest(item.keys) AS counter (key)
  ), moved AS (
    INSERT INTO usage_counters AS counter (
      key, in_flight_notional_usd_pips, in_flight_borrow_usdc_units, active_notional_usd_pips,
      pending_borrow_usdc_units, lent_borrow_usdc_units
    )
    SELECT entry.key, sum(entry.notional), sum(entry.borrow), 0, 0, 0
    FROM entry GROUP BY entry.key ORDER BY counter_rank(entry.key), entry.key
    ON CONFLICT (key) DO UPDATE SET
      in_flight_notional_usd_pips = counter.in_flight_notional_usd_pips + EXCLUDED.in_flight_notional_usd_pips,
      in_flight_borrow_usdc_units = counter.in_flight_borrow_usdc_units + EXCLUDED.in_flight_borrow_usdc_units
    RETURNING counter.*
  )
  -- When all of them fit together, each of them fits after those before it.
  SELECT count(*) INTO over_count FROM entry JOIN moved ON moved.key = entry.key
  WHERE moved.active_notional_usd_pips + moved.in_flight_notional_usd_pips
      > (entry.caps ->> 'notionalUsdPips')::bigint
    OR moved.in_flight_borrow_usdc_units + moved.pending_borrow_usdc_units + moved.lent_borrow_usdc_units
      > (entry.caps ->> 'borrowUsdcUnits')::bigint
    OR moved.in_flight_borrow_usdc_units + moved.pending_borrow_usdc_units
      > (entry.caps ->> 'promisedUsdcUnits')::bigint;
  IF over_count > 0 THEN
    RAISE EXCEPTION 'a cap is exceeded' USING ERRCODE = 'QT001';
  END IF;

  INSERT INTO quotes
  SELECT (jsonb_populate_record(NULL::quotes, item -> 'quote')).* FROM jsonb_array_elements(p_items) AS item;
  RETURN 'reserved';
EXCEPTION WHEN SQLSTATE 'QT001' THEN
  -- Everything above is undone.
  RETURN outcome;
END
$$;

-- Reserves as many of the quotes as fit, each after those before it, and returns the outcome of each: those of
-- reserve_together. No two items have the same position key.
CREATE FUNCTION reserve_quotes(p_items jsonb) RETURNS text[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  item_count int := jsonb_array_length(p_items);
  outcome text := reserve_together(p_items);
  outcomes text[] := '{}';
BEGIN
  IF outcome = 'reserved' OR item_count = 1 THEN
    RETURN array_fill(outcome, ARRAY[item_count]);
  END IF;
  -- All locks are taken before the first reservation, in the order of every other function.
  PERFORM 1 FROM reservations AS held JOIN jsonb_array_elements(p_items) AS item
    ON held.position_key = item ->> 'position_key'
  ORDER BY held.position_key FOR UPDATE OF held;
  PERFORM 1 FROM usage_counters AS counter WHERE counter.key IN (
    SELECT jsonb_array_elements_text(item -> 'keys') FROM jsonb_array_elements(p_items) AS item
  )
  ORDER BY counter_rank(counter.key), counter.key FOR UPDATE;
  FOR i IN 1..item_count LOOP
    outcomes[i] := reserve_together(jsonb_build_array(p_items -> (i - 1)));
  END LOOP;
  RETURN outcomes;
END
$$;

-- Takes requests for quotes that wait at the same moment, in one call and the documented order: the caller's bucket,
-- the Idempotency-Key, the strict bucket, then the reservation with the quote and the stored answer. One transaction:
-- what was answered is stored, what is stored was answered or is answered again by its key. An item has `standard` and
-- `strict` {key, points, window_ms}, `idempotency` {scope, key, request_hash, response_status, response_body} and
-- `reservation`, an item of reserve_quotes; each may be null. No two items have the same Idempotency-Key or the same
-- position key. Without a reservation no answer is stored, and the key is only read.
CREATE FUNCTION admit_quotes(p_items jsonb, p_clock_ms bigint, p_at timestamptz)
RETURNS TABLE (
  outcome text, standard_points bigint, standard_expire bigint, strict_points bigint, strict_expire bigint,
  response_status int, response_body text
) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  wanted int := jsonb_array_length(p_items);
  outcomes text[] := array_fill('admitted'::text, ARRAY[wanted]);
  standard_keys text[] := array_fill(NULL::text, ARRAY[wanted]);
  standard_windows bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  strict_keys text[] := array_fill(NULL::text, ARRAY[wanted]);
  strict_windows bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  standard_seen bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  standard_ends bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  strict_seen bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  strict_ends bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  statuses int[] := array_fill(NULL::int, ARRAY[wanted]);
  bodies text[] := array_fill(NULL::text, ARRAY[wanted]);
  has_keys boolean := false;
  reserving jsonb;
  places bigint[];
  item jsonb;
  charged record;
  held idempotency_keys;
  reserved text[];
BEGIN
  FOR i IN 1..wanted LOOP
    item := p_items -> (i - 1);
    standard_keys[i] := item -> 'standard' ->> 'key';
    standard_windows[i] := (item -> 'standard' ->> 'window_ms')::bigint;
    has_keys := has_keys OR jsonb_typeof(item -> 'idempotency') = 'object';
  END LOOP;
  FOR charged IN SELECT * FROM charge_buckets(standard_keys, standard_windows, p_clock_ms) LOOP
    standard_seen[charged.place] := charged.points;
    standard_ends[charged.place] := charged.expire;
    IF charged.points > (p_items -> (charged.place - 1)::int -> 'standard' ->> 'points')::bigint THEN
      outcomes[charged.place] := 'standard_refused';
    END IF;
  END LOOP;

  IF has_keys THEN
    -- In order of key, so that two calls never wait for each other in a circle.
    FOR charged IN
      SELECT entry.place::int AS place, entry.item -> 'idempotency' AS claim,
        jsonb_typeof(entry.item -> 'reservation') = 'object' AS is_kept
      FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place)
      WHERE jsonb_typeof(entry.item -> 'idempotency') = 'object' AND outcomes[entry.place] = 'admitted'
      ORDER BY entry.item -> 'idempotency' ->> 'scope', entry.item -> 'idempotency' ->> 'key'
    LOOP
      IF charged.is_kept THEN
        INSERT INTO idempotency_keys AS kept (
          scope, key, request_hash, state, response_status, response_body, locked_until, created_at, expires_at
        ) VALUES (
          charged.claim ->> 'scope', charged.claim ->> 'key', charged.claim ->> 'request_hash', 'done',
          (charged.claim ->> 'response_status')::int, charged.claim ->> 'response_body', p_at, p_at,
          p_at + interval '24 hours'
        )
        ON CONFLICT (scope, key) DO UPDATE SET request_hash = EXCLUDED.request_hash, state = EXCLUDED.state,
          response_status = EXCLUDED.response_status, response_body = EXCLUDED.response_body,
          locked_until = EXCLUDED.locked_until, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
        WHERE kept.expires_at <= p_at OR (kept.state = 'in_progress' AND kept.locked_until <= p_at
          AND kept.request_hash = EXCLUDED.request_hash);
        CONTINUE WHEN FOUND;
      END IF;
      SELECT * INTO held FROM idempotency_keys AS kept
      WHERE kept.scope = charged.claim ->> 'scope' AND kept.key = charged.claim ->> 'key' AND kept.expires_at > p_at;
      CONTINUE WHEN NOT FOUND;
      outcomes[charged.place] := CASE
        WHEN held.request_hash <> charged.claim ->> 'request_hash' THEN 'reused'
        WHEN held.state = 'done' THEN 'replay'
        -- A process that died in the middle holds its key no longer than that.
        WHEN held.locked_until > p_at THEN 'in_progress'
        ELSE outcomes[charged.place]
      END;
      IF outcomes[charged.place] = 'replay' THEN
        statuses[charged.place] := held.response_status;
        bodies[charged.place] := held.response_body;
      END IF;
    END LOOP;
  END IF;

  FOR i IN 1..wanted LOOP
    IF outcomes[i] = 'admitted' THEN
      strict_keys[i] := p_items -> (i - 1) -> 'strict' ->> 'key';
      strict_windows[i] := (p_items -> (i - 1) -> 'strict' ->> 'window_ms')::bigint;
    END IF;
  END LOOP;
  FOR charged IN SELECT * FROM charge_buckets(strict_keys, strict_windows, p_clock_ms) LOOP
    strict_seen[charged.place] := charged.points;
    strict_ends[charged.place] := charged.expire;
    IF charged.points > (p_items -> (charged.place - 1)::int -> 'strict' ->> 'points')::bigint THEN
      outcomes[charged.place] := 'strict_refused';
    END IF;
  END LOOP;

  SELECT jsonb_agg(entry.item -> 'reservation' ORDER BY entry.place), array_agg(entry.place ORDER BY entry.place)
  INTO reserving, places
  FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place)
  WHERE outcomes[entry.place] = 'admitted' AND jsonb_typeof(entry.item -> 'reservation') = 'object';
  IF reserving IS NOT NULL THEN
    reserved := reserve_quotes(reserving);
    FOR i IN 1..cardinality(places) LOOP
      outcomes[places[i]] := reserved[i];
    END LOOP;
  END IF;

  IF has_keys THEN
    -- A refusal keeps nothing: its key may be used again at once.
    DELETE FROM idempotency_keys AS kept USING (
      SELECT entry.item -> 'idempotency' ->> 'scope' AS scope, entry.item -> 'idempotency' ->> 'key' AS key
      FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place)
      WHERE outcomes[entry.place] IN ('strict_refused', 'refused', 'used')
        AND jsonb_typeof(entry.item -> 'idempotency') = 'object'
        AND jsonb_typeof(entry.item -> 'reservation') = 'object'
    ) AS refused
    WHERE kept.scope = refused.scope AND kept.key = refused.key;
  END IF;

  FOR i IN 1..wanted LOOP
    outcome := outcomes[i];
    standard_points := standard_seen[i];
    standard_expire := standard_ends[i];
    strict_points := strict_seen[i];
    strict_expire := strict_ends[i];
    response_status := statuses[i];
    response_body := bodies[i];
    RETURN NEXT;
  END LOOP;
END
$$;

-- Wake-up of readers. The payload is empty: readers read the tables.
CREATE FUNCTION notify_channel() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify(TG_ARGV[0], '');
  RETURN NULL;
END
$$;
CREATE TRIGGER markets_notify AFTER INSERT OR UPDATE ON markets
  FOR EACH STATEMENT EXECUTE FUNCTION notify_channel('markets');

-- Events are read in the order of transaction numbers, below the oldest running transaction. A transaction that has an
-- older number and writes later would be read out of order: it fails and runs again under a new number. Another channel
-- may wake the readers instead.
CREATE FUNCTION outbox_events_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM added JOIN outbox_events AS other ON other.position_id = added.position_id
    WHERE other.position_id IS NOT NULL AND other.transaction_id > added.transaction_id
  ) THEN
    RAISE EXCEPTION 'a later transaction has written an event of this position'
      USING ERRCODE = 'serialization_failure';
  END IF;
  IF current_setting('outbox.wake', true) IS DISTINCT FROM 'elsewhere' THEN
    PERFORM pg_notify('outbox', '');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER outbox_events_added AFTER INSERT ON outbox_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outbox_events_added();
