-- A finished market is read by nobody: each of the keeper's rounds finds what is due through an index of that alone.
CREATE INDEX "markets_unregistered" ON "markets" ("close_time", "id")
  WHERE status = 'active' AND oracle_address IS NOT NULL AND question_id IS NOT NULL
    AND (yes_outcome_id IS NULL OR no_outcome_id IS NULL);
CREATE INDEX "markets_unfinished" ON "markets" ("close_time", "id") WHERE status <> 'finalized';
-- From when on payouts may be on chain: at once when the market stopped or its oracle speaks, else from its close on.
CREATE INDEX "markets_unresolved" ON "markets" ((CASE
    WHEN status <> 'active' OR record ->> 'resolutionStatus' <> 'none' THEN '-infinity'::timestamptz
    ELSE coalesce(close_time, 'infinity'::timestamptz) END))
  WHERE status <> 'finalized';
-- What a person has to look at.
CREATE INDEX "positions_frozen" ON "positions" ("created_at", "id") WHERE frozen_reason IS NOT NULL;
