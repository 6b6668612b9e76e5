-- Events are read in the order of the transactions that wrote them, and only below the oldest transaction that still
-- runs: what commits late is then never behind a reader, and no writer waits for another one.
ALTER TABLE "outbox_events" ADD COLUMN "transaction_id" xid8 NOT NULL DEFAULT '0'::xid8;
ALTER TABLE "outbox_events" ALTER COLUMN "transaction_id" SET DEFAULT pg_current_xact_id();
CREATE OR REPLACE FUNCTION next_outbox_sequence() RETURNS bigint LANGUAGE sql VOLATILE
  AS $$ SELECT nextval('outbox_sequence') $$;

DROP INDEX "outbox_events_partner_id_sequence_idx";
CREATE INDEX "outbox_events_transaction_id_sequence_idx" ON "outbox_events" ("transaction_id", "sequence");
CREATE INDEX "outbox_events_created_at_idx" ON "outbox_events" ("created_at");
-- What one wallet, one partner and the markets' gateway read again after a lost connection.
CREATE INDEX "outbox_events_wallet" ON "outbox_events" ("partner_id", "wallet_address", "transaction_id", "sequence")
  WHERE partner_id IS NOT NULL;
CREATE INDEX "outbox_events_partner" ON "outbox_events" ("partner_id", "transaction_id", "sequence")
  WHERE partner_id IS NOT NULL AND type <> 'notification';
CREATE INDEX "outbox_events_markets" ON "outbox_events" ("transaction_id", "sequence") WHERE partner_id IS NULL;
-- The last change of one market, and the order of one position's events.
CREATE INDEX "outbox_events_market" ON "outbox_events" ("market_id", "sequence") WHERE partner_id IS NULL;
CREATE INDEX "outbox_events_position" ON "outbox_events" ("position_id", "transaction_id")
  WHERE position_id IS NOT NULL;

-- A transaction that got its number first and writes last would be read before the one it comes after. It is undone
-- instead, and runs again under a new number. Readers are woken once per statement; not here where another channel
-- does it.
CREATE FUNCTION outbox_events_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM added JOIN outbox_events AS other ON other.position_id = added.position_id
    WHERE other.position_id IS NOT NULL AND other.transaction_id > added.transaction_id
  ) THEN
    RAISE EXCEPTION 'a later transaction has written an event of this position'
      USING ERRCODE = 'serialization_failure';
  END IF;
  IF current_setting('outbox.wake', true) IS DISTINCT FROM 'elsewhere' THEN
    PERFORM pg_notify('outbox', '');
  END IF;
  RETURN NULL;
END
$$;
DROP TRIGGER outbox_events_notify ON outbox_events;
CREATE TRIGGER outbox_events_added AFTER INSERT ON outbox_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outbox_events_added();

-- A gateway starts with the positions that are not finished.
CREATE INDEX "positions_active" ON "positions" ("partner_id", "wallet_address", "id")
  WHERE status IN ('pending', 'open', 'unwinding', 'closing', 'settling');

-- When events of a market's positions said that its oracle owes an answer.
ALTER TABLE "markets" ADD COLUMN "unresolved_at" TIMESTAMPTZ(3);
