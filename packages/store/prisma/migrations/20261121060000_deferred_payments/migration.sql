-- Positions from before have nothing that waits; a fold of their events says otherwise when it is so.
ALTER TABLE "positions" ADD COLUMN "deferred_usdc_units" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "positions" ALTER COLUMN "deferred_usdc_units" DROP DEFAULT;
