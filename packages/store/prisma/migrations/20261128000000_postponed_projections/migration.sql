-- Positions whose stored events are not folded yet, because another session had a row of theirs locked. `from_block` is
-- the first block of these events.
CREATE TABLE "postponed_projections" (
    "chain_key" TEXT NOT NULL,
    "position_key" TEXT NOT NULL,
    "from_block" BIGINT NOT NULL,

    CONSTRAINT "postponed_projections_pkey" PRIMARY KEY ("chain_key", "position_key")
);
