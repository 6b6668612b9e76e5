-- Exactly-once is written into the tables: a counter that would go below zero refuses the statement.
ALTER TABLE usage_counters ADD CONSTRAINT usage_counters_never_negative CHECK (
  in_flight_notional_usd_pips >= 0 AND in_flight_borrow_usdc_units >= 0 AND active_notional_usd_pips >= 0
  AND pending_borrow_usdc_units >= 0 AND lent_borrow_usdc_units >= 0
);
ALTER TABLE reservations ADD CONSTRAINT reservations_state CHECK (state IN ('live', 'released', 'used'));
CREATE INDEX reservations_due ON reservations (release_at) WHERE state = 'live';

-- Counter rows are updated in place by every quote: free room in each page keeps those updates off the index.
ALTER TABLE usage_counters SET (fillfactor = 50);
ALTER TABLE reservations SET (fillfactor = 80);

-- Losing the windows of a crashed database is harmless, waiting for the disk on every request is not.
ALTER TABLE rate_limits SET UNLOGGED;

-- Moves a reservation to new contributions and its counters by the difference. Counters are locked in the order of
-- counter_keys, the hottest (global) last, the same everywhere: no two calls can wait for each other in a circle.
CREATE FUNCTION apply_usage(
  p_keys text[],
  p_in_flight_notional bigint,
  p_in_flight_borrow bigint,
  p_active_notional bigint,
  p_pending_borrow bigint,
  p_lent_borrow bigint
) RETURNS SETOF usage_counters LANGUAGE sql VOLATILE AS $$
  INSERT INTO usage_counters AS counter (
    key, in_flight_notional_usd_pips, in_flight_borrow_usdc_units, active_notional_usd_pips,
    pending_borrow_usdc_units, lent_borrow_usdc_units
  )
  -- The proposed row must pass the check even when the deltas go down and an existing row takes them.
  SELECT entry.key, greatest(p_in_flight_notional, 0), greatest(p_in_flight_borrow, 0),
    greatest(p_active_notional, 0), greatest(p_pending_borrow, 0), greatest(p_lent_borrow, 0)
  FROM unnest(p_keys) WITH ORDINALITY AS entry (key, place)
  ORDER BY entry.place
  ON CONFLICT (key) DO UPDATE SET
    in_flight_notional_usd_pips = counter.in_flight_notional_usd_pips + p_in_flight_notional,
    in_flight_borrow_usdc_units = counter.in_flight_borrow_usdc_units + p_in_flight_borrow,
    active_notional_usd_pips = counter.active_notional_usd_pips + p_active_notional,
    pending_borrow_usdc_units = counter.pending_borrow_usdc_units + p_pending_borrow,
    lent_borrow_usdc_units = counter.lent_borrow_usdc_units + p_lent_borrow
  RETURNING counter.*
$$;

-- One call reserves and stores a quote, or tells which cap refused it and changes nothing.
-- p_keys in locking order: user, cluster (when there is one), side, market, partner, global.
-- p_notional_limits: user, market, side, global, partner. p_borrow_limits: user, market, side, cluster, total, pool's
-- free liquidity. Null means no cap. The first refusal in that order, notional before borrow, is the answer.
CREATE FUNCTION reserve_quote(
  p_quote quotes,
  p_keys text[],
  p_key_scopes text[],
  p_notional bigint,
  p_borrow bigint,
  p_release_at timestamptz,
  p_notional_limits bigint[],
  p_borrow_limits bigint[],
  OUT outcome text,
  OUT measure text,
  OUT scope text,
  OUT current_amount bigint,
  OUT limit_amount bigint,
  OUT active_amount bigint,
  OUT in_flight_amount bigint
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  held reservations;
  counter usage_counters;
  more_notional bigint;
  more_borrow bigint;
  notional_scopes CONSTANT text[] := ARRAY['user', 'market', 'side', 'global', 'partner'];
  borrow_scopes CONSTANT text[] := ARRAY['user', 'market', 'side', 'cluster', 'global'];
  active_notional bigint[] := ARRAY[0, 0, 0, 0, 0]::bigint[];
  in_flight_notional bigint[] := ARRAY[0, 0, 0, 0, 0]::bigint[];
  borrowed bigint[] := ARRAY[0, 0, 0, 0, 0]::bigint[];
  total_lent bigint := 0;
  cap bigint;
  place int;
BEGIN
  INSERT INTO reservations AS reservation (
    position_key, state, counter_keys, in_flight_notional_usd_pips, in_flight_borrow_usdc_units,
    active_notional_usd_pips, pending_borrow_usdc_units, lent_borrow_usdc_units,
    quoted_notional_usd_pips, quoted_borrow_usdc_units, release_at
  ) VALUES ((p_quote).position_key, 'released', p_keys, 0, 0, 0, 0, 0, 0, 0, p_release_at)
  -- Touching the row locks it, so promotions of one draft take their turns.
  ON CONFLICT (position_key) DO UPDATE SET position_key = EXCLUDED.position_key
  RETURNING reservation.* INTO held;
  IF held.state = 'used' THEN
    outcome := 'used';
    RETURN;
  END IF;

  more_notional := greatest(p_notional - held.in_flight_notional_usd_pips, 0);
  more_borrow := greatest(p_borrow - held.in_flight_borrow_usdc_units, 0);
  FOR counter IN SELECT * FROM apply_usage(held.counter_keys, more_notional, more_borrow, 0, 0, 0) LOOP
    scope := p_key_scopes[array_position(p_keys, counter.key)];
    place := array_position(notional_scopes, scope);
    IF place IS NOT NULL THEN
      active_notional[place] := counter.active_notional_usd_pips;
      in_flight_notional[place] := counter.in_flight_notional_usd_pips - more_notional;
    END IF;
    place := array_position(borrow_scopes, scope);
    IF place IS NOT NULL THEN
      borrowed[place] := counter.in_flight_borrow_usdc_units - more_borrow + counter.pending_borrow_usdc_units
        + counter.lent_borrow_usdc_units;
    END IF;
    IF scope = 'global' THEN
      total_lent := counter.lent_borrow_usdc_units;
    END IF;
  END LOOP;
  scope := NULL;

  FOR place IN 1..5 LOOP
    IF active_notional[place] + in_flight_notional[place] + more_notional > p_notional_limits[place] THEN
      measure := 'notional';
      scope := notional_scopes[place];
      current_amount := active_notional[place] + in_flight_notional[place];
      limit_amount := p_notional_limits[place];
      active_amount := active_notional[place];
      in_flight_amount := in_flight_notional[place];
      EXIT;
    END IF;
  END LOOP;
  IF scope IS NULL THEN
    FOR place IN 1..5 LOOP
      cap := p_borrow_limits[place];
      IF place = 5 THEN
        -- What is lent already has left the pool's free liquidity; what is promised has not. `least` skips a null.
        cap := least(cap, p_borrow_limits[6] + total_lent);
      END IF;
      IF borrowed[place] + more_borrow > cap THEN
        measure := 'borrow';
        scope := CASE place WHEN 5 THEN 'total' ELSE borrow_scopes[place] END;
        current_amount := borrowed[place];
        limit_amount := cap;
        EXIT;
      END IF;
    END LOOP;
  END IF;

  IF scope IS NOT NULL THEN
    PERFORM apply_usage(held.counter_keys, -more_notional, -more_borrow, 0, 0, 0);
    -- A refusal leaves nothing behind: a row made by this call goes again.
    DELETE FROM reservations WHERE position_key = (p_quote).position_key AND quoted_notional_usd_pips = 0;
    outcome := 'refused';
    RETURN;
  END IF;

  UPDATE reservations SET
    state = 'live',
    in_flight_notional_usd_pips = in_flight_notional_usd_pips + more_notional,
    in_flight_borrow_usdc_units = in_flight_borrow_usdc_units + more_borrow,
    quoted_notional_usd_pips = greatest(quoted_notional_usd_pips, p_notional),
    quoted_borrow_usdc_units = greatest(quoted_borrow_usdc_units, p_borrow),
    release_at = greatest(CASE state WHEN 'live' THEN release_at ELSE p_release_at END, p_release_at)
  WHERE position_key = (p_quote).position_key;
  INSERT INTO quotes SELECT (p_quote).*;
  outcome := 'reserved';
END
$$;

-- States what a position counts now. Repeating it changes nothing: counters move by the difference to the stored row.
CREATE FUNCTION set_position_usage(
  p_position_key text,
  p_keys text[],
  p_active_notional bigint,
  p_pending_borrow bigint,
  p_lent_borrow bigint,
  p_at timestamptz
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  held reservations;
BEGIN
  INSERT INTO reservations AS reservation (
    position_key, state, counter_keys, in_flight_notional_usd_pips, in_flight_borrow_usdc_units,
    active_notional_usd_pips, pending_borrow_usdc_units, lent_borrow_usdc_units,
    quoted_notional_usd_pips, quoted_borrow_usdc_units, release_at
  ) VALUES (p_position_key, 'used', p_keys, 0, 0, 0, 0, 0, 0, 0, p_at)
  ON CONFLICT (position_key) DO UPDATE SET position_key = EXCLUDED.position_key
  RETURNING reservation.* INTO held;
  PERFORM apply_usage(
    held.counter_keys,
    -held.in_flight_notional_usd_pips,
    -held.in_flight_borrow_usdc_units,
    p_active_notional - held.active_notional_usd_pips,
    p_pending_borrow - held.pending_borrow_usdc_units,
    p_lent_borrow - held.lent_borrow_usdc_units
  );
  UPDATE reservations SET
    state = 'used',
    in_flight_notional_usd_pips = 0,
    in_flight_borrow_usdc_units = 0,
    active_notional_usd_pips = p_active_notional,
    pending_borrow_usdc_units = p_pending_borrow,
    lent_borrow_usdc_units = p_lent_borrow
  WHERE position_key = p_position_key;
END
$$;

-- The chain rolled the position's creation back: the reservation lives again while it may still be used.
CREATE FUNCTION forget_position_usage(p_position_key text, p_at timestamptz) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  held reservations;
  is_alive boolean;
BEGIN
  SELECT * INTO held FROM reservations WHERE position_key = p_position_key AND state = 'used' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  is_alive := held.release_at > p_at;
  PERFORM apply_usage(
    held.counter_keys,
    CASE WHEN is_alive THEN held.quoted_notional_usd_pips ELSE 0 END,
    CASE WHEN is_alive THEN held.quoted_borrow_usdc_units ELSE 0 END,
    -held.active_notional_usd_pips,
    -held.pending_borrow_usdc_units,
    -held.lent_borrow_usdc_units
  );
  UPDATE reservations SET
    state = CASE WHEN is_alive THEN 'live' ELSE 'released' END,
    in_flight_notional_usd_pips = CASE WHEN is_alive THEN quoted_notional_usd_pips ELSE 0 END,
    in_flight_borrow_usdc_units = CASE WHEN is_alive THEN quoted_borrow_usdc_units ELSE 0 END,
    active_notional_usd_pips = 0,
    pending_borrow_usdc_units = 0,
    lent_borrow_usdc_units = 0
  WHERE position_key = p_position_key;
END
$$;

-- Releases one reservation whose grace has passed; false when it was not due, released or used already.
CREATE FUNCTION release_reservation(p_position_key text, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  held reservations;
BEGIN
  SELECT * INTO held FROM reservations
  WHERE position_key = p_position_key AND state = 'live' AND release_at <= p_at
  FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM apply_usage(
    held.counter_keys, -held.in_flight_notional_usd_pips, -held.in_flight_borrow_usdc_units, 0, 0, 0
  );
  UPDATE reservations SET state = 'released', in_flight_notional_usd_pips = 0, in_flight_borrow_usdc_units = 0
  WHERE position_key = p_position_key;
  RETURN true;
END
$$;

-- Readers wait on channels; the payload is empty because they read the tables anyway.
CREATE FUNCTION notify_channel() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify(TG_ARGV[0], '');
  RETURN NULL;
END
$$;

CREATE TRIGGER outbox_events_notify AFTER INSERT ON outbox_events
  FOR EACH STATEMENT EXECUTE FUNCTION notify_channel('outbox');
CREATE TRIGGER markets_notify AFTER INSERT OR UPDATE ON markets
  FOR EACH STATEMENT EXECUTE FUNCTION notify_channel('markets');
