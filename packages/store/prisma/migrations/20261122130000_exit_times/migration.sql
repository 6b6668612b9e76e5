-- Forced sales as they were measured: when a debt was due, and how long it took to be repaid.
CREATE TABLE "exit_sales" (
    "position_key" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "category" TEXT NOT NULL,
    "duration_ms" INTEGER NOT NULL,

    CONSTRAINT "exit_sales_pkey" PRIMARY KEY ("position_key", "due_at")
);
CREATE INDEX "exit_sales_category_due_at_idx" ON "exit_sales" ("category", "due_at");
-- The exit time that quotes of a category rest on, which every keeper goes on from.
CREATE TABLE "exit_times" (
    "category" TEXT NOT NULL,
    "exit_seconds" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "exit_times_pkey" PRIMARY KEY ("category")
);
-- What a quote fixes of how its debt is watched, with the quote signer's signature. Quotes from before rest on 60 s.
ALTER TABLE "quotes" ADD COLUMN "risk_signature" TEXT NOT NULL DEFAULT '';
ALTER TABLE "quotes" ALTER COLUMN "risk_signature" DROP DEFAULT;
UPDATE "quotes" SET "figures" = "figures" || '{"exitSeconds": 60}';
UPDATE "drafts" SET "figures" = "figures" || '{"exitSeconds": 60}';
ALTER TABLE "positions" ADD COLUMN "quoted_risk" JSONB;
UPDATE "positions" SET "quoted_risk" = '{"exitSeconds": 60, "plannedUnwinds": [], "signature": ""}' WHERE "quote_id" IS NOT NULL;
ALTER TABLE "position_unwinds" ADD COLUMN "rung" INTEGER;
