-- A refusal carries the usage that it was decided on: the caller reads and tries nothing again, and cannot lose to others.
DROP FUNCTION admit_quotes(jsonb, bigint, timestamptz);
DROP FUNCTION reserve_quotes(jsonb);
DROP FUNCTION reserve_together(jsonb);

-- True when a counter is above one of its caps: notional (active and in flight), borrow (in flight, pending and lent) and
-- promised (in flight and pending). A cap that is null or absent bounds nothing.
CREATE FUNCTION exceeds_caps(p_notional bigint, p_promised bigint, p_lent bigint, p_caps jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(p_notional > (p_caps ->> 'notionalUsdPips')::bigint, false)
    OR coalesce(p_promised + p_lent > (p_caps ->> 'borrowUsdcUnits')::bigint, false)
    OR coalesce(p_promised > (p_caps ->> 'promisedUsdcUnits')::bigint, false)
$$;

-- Counters of the quotes of items of reserve_quotes: each with its caps, the size of the quote, what its reservation
-- holds already, and what the quote adds to that.
CREATE FUNCTION quoted_counters(p_items jsonb) RETURNS TABLE (
  key text, notional bigint, borrow bigint, held_notional bigint, held_borrow bigint, more_notional bigint,
  more_borrow bigint, caps jsonb
) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT counter.key, item.notional, item.borrow, coalesce(item.held_notional, 0), coalesce(item.held_borrow, 0),
    greatest(item.notional - coalesce(item.held_notional, 0), 0), greatest(item.borrow - coalesce(item.held_borrow, 0), 0),
    item.limits -> split_part(counter.key, ':', 1)
  FROM jsonb_to_recordset(p_items) AS item (
    keys text[], notional bigint, borrow bigint, held_notional bigint, held_borrow bigint, limits jsonb
  ), unnest(item.keys) AS counter (key)
$$;

-- Adds to locked counters what these items add, so many times.
CREATE FUNCTION move_in_flight(p_items jsonb, p_times int) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE usage_counters AS counter SET
    in_flight_notional_usd_pips = counter.in_flight_notional_usd_pips + p_times * added.notional,
    in_flight_borrow_usdc_units = counter.in_flight_borrow_usdc_units + p_times * added.borrow
  FROM (
    SELECT key, sum(more_notional)::bigint AS notional, sum(more_borrow)::bigint AS borrow
    FROM quoted_counters(p_items) GROUP BY key
  ) AS added
  WHERE counter.key = added.key
$$;

-- Reserves and stores as many of the quotes as fit, each after those before it. An outcome is 'reserved', 'refused' when
-- a cap does not allow it, or 'used' when the position exists already. `usage` of a refusal has the counters by scope
-- that it was decided on, without what the position reserves already.
-- An item has {quote, position_key, keys, notional, borrow, release_at, limits}, and `limits` the caps of exceeds_caps by
-- scope. No two items have the same position key. Reservations are locked by key, then counters by rank and key.
CREATE FUNCTION reserve_quotes(p_items jsonb) RETURNS TABLE (place int, outcome text, usage jsonb)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  item_count int := jsonb_array_length(p_items);
  outcomes text[] := array_fill('reserved'::text, ARRAY[item_count]);
  usages jsonb[] := array_fill(NULL::jsonb, ARRAY[item_count]);
  new_keys text[];
  known record;
  known_count int := 0;
  one jsonb;
  is_over boolean;
  counted jsonb;
BEGIN
  WITH made AS (
    INSERT INTO reservations (
      position_key, state, counter_keys, in_flight_notional_usd_pips, in_flight_borrow_usdc_units,
      active_notional_usd_pips, pending_borrow_usdc_units, lent_borrow_usdc_units,
      quoted_notional_usd_pips, quoted_borrow_usdc_units, release_at
    )
    SELECT item.position_key, 'live', item.keys, item.notional, item.borrow, 0, 0, 0, item.notional, item.borrow,
      item.release_at
    FROM jsonb_to_recordset(p_items) AS item (
      position_key text, keys text[], notional bigint, borrow bigint, release_at timestamptz
    )
    ORDER BY item.position_key
    ON CONFLICT (position_key) DO NOTHING
    RETURNING position_key
  )
  SELECT coalesce(array_agg(position_key), '{}') INTO new_keys FROM made;

  IF cardinality(new_keys) < item_count THEN
    -- Promotions of one draft share a reservation, as large as the largest of them. The lock makes them take turns.
    FOR known IN
      SELECT entry.place::int AS place, held.state, held.counter_keys,
        held.in_flight_notional_usd_pips AS held_notional, held.in_flight_borrow_usdc_units AS held_borrow
      FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place)
        JOIN reservations AS held ON held.position_key = entry.item ->> 'position_key'
      WHERE held.position_key <> ALL (new_keys)
      ORDER BY held.position_key FOR UPDATE OF held
    LOOP
      known_count := known_count + 1;
      IF known.state = 'used' THEN
        outcomes[known.place] := 'used';
        known.counter_keys := '{}';
      END IF;
      p_items := jsonb_set(p_items, ARRAY[(known.place - 1)::text], (p_items -> (known.place - 1)) || jsonb_build_object(
        'keys', known.counter_keys, 'held_notional', known.held_notional, 'held_borrow', known.held_borrow
      ));
    END LOOP;
    IF cardinality(new_keys) + known_count < item_count THEN
      RAISE EXCEPTION 'a reservation was removed meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;

  WITH entry AS MATERIALIZED (
    SELECT * FROM quoted_counters(p_items)
  ), moved AS (
    INSERT INTO usage_counters AS counter (
      key, in_flight_notional_usd_pips, in_flight_borrow_usdc_units, active_notional_usd_pips,
      pending_borrow_usdc_units, lent_borrow_usdc_units
    )
    SELECT entry.key, sum(entry.more_notional), sum(entry.more_borrow), 0, 0, 0
    FROM entry GROUP BY entry.key ORDER BY counter_rank(entry.key), entry.key
    ON CONFLICT (key) DO UPDATE SET
      in_flight_notional_usd_pips = counter.in_flight_notional_usd_pips + EXCLUDED.in_flight_notional_usd_pips,
      in_flight_borrow_usdc_units = counter.in_flight_borrow_usdc_units + EXCLUDED.in_flight_borrow_usdc_units
    RETURNING counter.*
  )
  -- When all of them fit together, each of them fits after those before it.
  SELECT bool_or(exceeds_caps(
    moved.active_notional_usd_pips + moved.in_flight_notional_usd_pips,
    moved.in_flight_borrow_usdc_units + moved.pending_borrow_usdc_units, moved.lent_borrow_usdc_units, entry.caps
  )) INTO is_over FROM entry JOIN moved ON moved.key = entry.key;

  IF is_over THEN
    PERFORM move_in_flight(p_items, -1);
    FOR i IN 1..item_count LOOP
      CONTINUE WHEN outcomes[i] = 'used';
      one := jsonb_build_array(p_items -> (i - 1));
      SELECT
        bool_or(exceeds_caps(
          counter.active_notional_usd_pips + counter.in_flight_notional_usd_pips - entry.held_notional + entry.notional,
          counter.in_flight_borrow_usdc_units + counter.pending_borrow_usdc_units - entry.held_borrow + entry.borrow,
          counter.lent_borrow_usdc_units, entry.caps
        )),
        -- Each bigint as the domain's JSON has it.
        jsonb_object_agg(split_part(counter.key, ':', 1), jsonb_build_object(
          'inFlightNotionalUsdPips',
          jsonb_build_object('$bigint', (counter.in_flight_notional_usd_pips - entry.held_notional)::text),
          'inFlightBorrowUsdcUnits',
          jsonb_build_object('$bigint', (counter.in_flight_borrow_usdc_units - entry.held_borrow)::text),
          'activeNotionalUsdPips', jsonb_build_object('$bigint', counter.active_notional_usd_pips::text),
          'pendingBorrowUsdcUnits', jsonb_build_object('$bigint', counter.pending_borrow_usdc_units::text),
          'lentBorrowUsdcUnits', jsonb_build_object('$bigint', counter.lent_borrow_usdc_units::text)
        ))
      INTO is_over, counted FROM quoted_counters(one) AS entry JOIN usage_counters AS counter ON counter.key = entry.key;
      IF is_over THEN
        outcomes[i] := 'refused';
        usages[i] := counted;
      ELSE
        PERFORM move_in_flight(one, 1);
      END IF;
    END LOOP;
    DELETE FROM reservations AS reservation USING jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place)
    WHERE outcomes[entry.place] = 'refused' AND reservation.position_key = entry.item ->> 'position_key'
      AND reservation.position_key = ANY (new_keys);
  END IF;

  IF known_count > 0 THEN
    UPDATE reservations AS reservation SET
      state = 'live',
      in_flight_notional_usd_pips = greatest(reservation.in_flight_notional_usd_pips, entry.notional),
      in_flight_borrow_usdc_units = greatest(reservation.in_flight_borrow_usdc_units, entry.borrow),
      quoted_notional_usd_pips = greatest(reservation.quoted_notional_usd_pips, entry.notional),
      quoted_borrow_usdc_units = greatest(reservation.quoted_borrow_usdc_units, entry.borrow),
      release_at = CASE reservation.state
        WHEN 'live' THEN greatest(reservation.release_at, entry.release_at) ELSE entry.release_at
      END
    FROM ROWS FROM (
      jsonb_to_recordset(p_items) AS (position_key text, notional bigint, borrow bigint, release_at timestamptz)
    ) WITH ORDINALITY AS entry (position_key, notional, borrow, release_at, place)
    WHERE outcomes[entry.place] = 'reserved' AND reservation.position_key = entry.position_key
      AND entry.position_key <> ALL (new_keys);
  END IF;
  INSERT INTO quotes
  SELECT (jsonb_populate_record(NULL::quotes, entry.item -> 'quote')).*
  FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place) WHERE outcomes[entry.place] = 'reserved';
  RETURN QUERY SELECT i, outcomes[i], usages[i] FROM generate_series(1, item_count) AS i;
END
$$;

-- Takes requests for quotes that wait at the same moment, in one call and the documented order: the caller's bucket,
-- the Idempotency-Key, the strict bucket, then the reservation with the quote and the stored answer. One transaction:
-- what was answered is stored, what is stored was answered or is answered again by its key. An item has `standard` and
-- `strict` {key, points, window_ms}, `idempotency` {scope, key, request_hash, response_status, response_body} and
-- `reservation`, an item of reserve_quotes; each may be null. No two items have the same Idempotency-Key or the same
-- position key. Without a reservation no answer is stored, and the key is only read.
CREATE FUNCTION admit_quotes(p_items jsonb, p_clock_ms bigint, p_at timestamptz)
RETURNS TABLE (
  outcome text, standard_points bigint, standard_expire bigint, strict_points bigint, strict_expire bigint,
  response_status int, response_body text, usage jsonb
) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  wanted int := jsonb_array_length(p_items);
  outcomes text[] := array_fill('admitted'::text, ARRAY[wanted]);
  standard_keys text[] := array_fill(NULL::text, ARRAY[wanted]);
  standard_windows bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  strict_keys text[] := array_fill(NULL::text, ARRAY[wanted]);
  strict_windows bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  standard_seen bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  standard_ends bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  strict_seen bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  strict_ends bigint[] := array_fill(NULL::bigint, ARRAY[wanted]);
  statuses int[] := array_fill(NULL::int, ARRAY[wanted]);
  bodies text[] := array_fill(NULL::text, ARRAY[wanted]);
  usages jsonb[] := array_fill(NULL::jsonb, ARRAY[wanted]);
  has_keys boolean := false;
  reserving jsonb;
  places bigint[];
  item jsonb;
  charged record;
  held idempotency_keys;
  reserved record;
BEGIN
  FOR i IN 1..wanted LOOP
    item := p_items -> (i - 1);
    standard_keys[i] := item -> 'standard' ->> 'key';
    standard_windows[i] := (item -> 'standard' ->> 'window_ms')::bigint;
    has_keys := has_keys OR jsonb_typeof(item -> 'idempotency') = 'object';
  END LOOP;
  FOR charged IN SELECT * FROM charge_buckets(standard_keys, standard_windows, p_clock_ms) LOOP
    standard_seen[charged.place] := charged.points;
    standard_ends[charged.place] := charged.expire;
    IF charged.points > (p_items -> (charged.place - 1)::int -> 'standard' ->> 'points')::bigint THEN
      outcomes[charged.place] := 'standard_refused';
    END IF;
  END LOOP;

  IF has_keys THEN
    -- In order of key, so that two calls never wait for each other in a circle.
    FOR charged IN
      SELECT entry.place::int AS place, entry.item -> 'idempotency' AS claim,
        jsonb_typeof(entry.item -> 'reservation') = 'object' AS is_kept
      FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place)
      WHERE jsonb_typeof(entry.item -> 'idempotency') = 'object' AND outcomes[entry.place] = 'admitted'
      ORDER BY entry.item -> 'idempotency' ->> 'scope', entry.item -> 'idempotency' ->> 'key'
    LOOP
      IF charged.is_kept THEN
        INSERT INTO idempotency_keys AS kept (
          scope, key, request_hash, state, response_status, response_body, locked_until, created_at, expires_at
        ) VALUES (
          charged.claim ->> 'scope', charged.claim ->> 'key', charged.claim ->> 'request_hash', 'done',
          (charged.claim ->> 'response_status')::int, charged.claim ->> 'response_body', p_at, p_at,
          p_at + interval '24 hours'
        )
        ON CONFLICT (scope, key) DO UPDATE SET request_hash = EXCLUDED.request_hash, state = EXCLUDED.state,
          response_status = EXCLUDED.response_status, response_body = EXCLUDED.response_body,
          locked_until = EXCLUDED.locked_until, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
        WHERE kept.expires_at <= p_at OR (kept.state = 'in_progress' AND kept.locked_until <= p_at
          AND kept.request_hash = EXCLUDED.request_hash);
        CONTINUE WHEN FOUND;
      END IF;
      SELECT * INTO held FROM idempotency_keys AS kept
      WHERE kept.scope = charged.claim ->> 'scope' AND kept.key = charged.claim ->> 'key' AND kept.expires_at > p_at;
      CONTINUE WHEN NOT FOUND;
      outcomes[charged.place] := CASE
        WHEN held.request_hash <> charged.claim ->> 'request_hash' THEN 'reused'
        WHEN held.state = 'done' THEN 'replay'
        -- A process that died in the middle holds its key no longer than that.
        WHEN held.locked_until > p_at THEN 'in_progress'
        ELSE outcomes[charged.place]
      END;
      IF outcomes[charged.place] = 'replay' THEN
        statuses[charged.place] := held.response_status;
        bodies[charged.place] := held.response_body;
      END IF;
    END LOOP;
  END IF;

  FOR i IN 1..wanted LOOP
    IF outcomes[i] = 'admitted' THEN
      strict_keys[i] := p_items -> (i - 1) -> 'strict' ->> 'key';
      strict_windows[i] := (p_items -> (i - 1) -> 'strict' ->> 'window_ms')::bigint;
    END IF;
  END LOOP;
  FOR charged IN SELECT * FROM charge_buckets(strict_keys, strict_windows, p_clock_ms) LOOP
    strict_seen[charged.place] := charged.points;
    strict_ends[charged.place] := charged.expire;
    IF charged.points > (p_items -> (charged.place - 1)::int -> 'strict' ->> 'points')::bigint THEN
      outcomes[charged.place] := 'strict_refused';
    END IF;
  END LOOP;

  SELECT jsonb_agg(entry.item -> 'reservation' ORDER BY entry.place), array_agg(entry.place ORDER BY entry.place)
  INTO reserving, places
  FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place)
  WHERE outcomes[entry.place] = 'admitted' AND jsonb_typeof(entry.item -> 'reservation') = 'object';
  IF reserving IS NOT NULL THEN
    FOR reserved IN SELECT * FROM reserve_quotes(reserving) LOOP
      outcomes[places[reserved.place]] := reserved.outcome;
      usages[places[reserved.place]] := reserved.usage;
    END LOOP;
  END IF;

  IF has_keys THEN
    -- A refusal keeps nothing: its key may be used again at once.
    DELETE FROM idempotency_keys AS kept USING (
      SELECT entry.item -> 'idempotency' ->> 'scope' AS scope, entry.item -> 'idempotency' ->> 'key' AS key
      FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place)
      WHERE outcomes[entry.place] IN ('strict_refused', 'refused', 'used')
        AND jsonb_typeof(entry.item -> 'idempotency') = 'object'
        AND jsonb_typeof(entry.item -> 'reservation') = 'object'
    ) AS refused
    WHERE kept.scope = refused.scope AND kept.key = refused.key;
  END IF;

  FOR i IN 1..wanted LOOP
    outcome := outcomes[i];
    standard_points := standard_seen[i];
    standard_expire := standard_ends[i];
    strict_points := strict_seen[i];
    strict_expire := strict_ends[i];
    response_status := statuses[i];
    response_body := bodies[i];
    usage := usages[i];
    RETURN NEXT;
  END LOOP;
END
$$;
