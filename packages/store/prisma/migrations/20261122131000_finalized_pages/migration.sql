-- Finalized markets are most of all markets and are read by page only: one index for each order a page may have.
CREATE INDEX "markets_finalized_by_ticker" ON "markets" ("ticker" COLLATE "C") WHERE status = 'finalized';
CREATE INDEX "markets_finalized_by_discovery" ON "markets" ("discovered_at" DESC, "ticker" COLLATE "C")
  WHERE status = 'finalized';
CREATE INDEX "markets_finalized_by_series" ON "markets" ("series_ticker", "ticker" COLLATE "C")
  WHERE status = 'finalized';

-- What a day of quotes leaves behind, found by age: quotes that no position came of, and their reservations.
CREATE INDEX "reservations_released" ON "reservations" ("release_at") WHERE state = 'released';
-- Intents that came to an end, without those from which a position is folded again for ever.
CREATE INDEX "intents_ended" ON "intents" ("updated_at")
  WHERE state IN ('final', 'reverted', 'replaced', 'dropped')
    AND operation NOT IN ('refund', 'defer_close', 'authorize_unwind', 'register_outcome');
