-- Oracles of whose markets none is quoted on until an operator says otherwise.
CREATE TABLE "stopped_oracles" (
    "address" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "stopped_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stopped_oracles_pkey" PRIMARY KEY ("address")
);
