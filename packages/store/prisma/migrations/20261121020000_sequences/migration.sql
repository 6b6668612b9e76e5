-- Sequences that grow in COMMIT order. A plain sequence hands out numbers in call order, so a reader that remembers
-- "seen up to n" would miss a row below n that commits later. Holding a lock until the commit closes that gap.

CREATE SEQUENCE outbox_sequence;

CREATE FUNCTION next_outbox_sequence() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('outbox_sequence', 0));
  RETURN nextval('outbox_sequence');
END
$$;

CREATE SEQUENCE market_version;

CREATE FUNCTION next_market_version() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('market_version', 0));
  RETURN nextval('market_version');
END
$$;
