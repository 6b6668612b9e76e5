-- Blocks up to here were read a second time, after they could no longer be reorganised. Null: none were.
ALTER TABLE "chain_cursors" ADD COLUMN "verified_number" BIGINT;
-- How many outcomes the index knows, against the vault's own count.
CREATE INDEX "chain_events_chain_key_name_idx" ON "chain_events" ("chain_key", "name");
