-- What all positions owe, against the pool's own book.
CREATE INDEX "positions_owed" ON "positions" ("principal_usdc_units") WHERE principal_usdc_units > 0;
-- Positions that were refunded before their first order, against the accounts that the vault has made.
CREATE INDEX "positions_never_lent" ON "positions" ("id") WHERE opened_mark_price_pips IS NULL AND chain_state <> 'pending';
