-- Movements of a position's tokens and money, written by the fold of its events.
CREATE TABLE "position_ledger_rows" (
    "position_key" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "executed_at" TIMESTAMPTZ(3) NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "token_units" BIGINT NOT NULL,
    "trade_usdc_units" BIGINT NOT NULL,
    "repaid_usdc_units" BIGINT NOT NULL,
    "fee_usdc_units" BIGINT NOT NULL,
    "paid_in_usdc_units" BIGINT NOT NULL,
    "paid_out_usdc_units" BIGINT NOT NULL,
    "realized_pnl_usdc_units" BIGINT NOT NULL,
    "remaining_token_units" BIGINT NOT NULL,
    "remaining_principal_usdc_units" BIGINT NOT NULL,
    "remaining_fee_usdc_units" BIGINT NOT NULL,
    "leverage_bps" BIGINT,
    "reason" TEXT,
    "block_number" BIGINT NOT NULL,

    CONSTRAINT "position_ledger_rows_pkey" PRIMARY KEY ("position_key", "sequence")
);

-- The keeper folds all earlier positions once more. No event of theirs is new, so that none is announced again.
INSERT INTO "postponed_projections" ("chain_key", "position_key", "from_block")
SELECT DISTINCT "chain_key", "subject", 9223372036854775807 FROM "chain_events" WHERE "name" = 'PositionCreated'
  AND "subject" IS NOT NULL
ON CONFLICT DO NOTHING;
