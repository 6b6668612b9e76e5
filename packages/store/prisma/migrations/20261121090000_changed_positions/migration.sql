-- The keeper follows what changed since a block.
CREATE INDEX "positions_updated_block_number_idx" ON "positions" ("updated_block_number");
