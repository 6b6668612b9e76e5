-- When the live order was authorised. An order that is live now lives a minute: the next event of its position sets it.
ALTER TABLE "positions" ADD COLUMN "live_authorized_at" TIMESTAMPTZ(3);
