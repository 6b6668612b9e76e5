-- Takes one point of each named bucket, in one statement for all of them. Buckets that are named twice are charged
-- twice: each charge sees the count it would have seen alone, in the order given. A null key charges nothing.
CREATE FUNCTION charge_buckets(p_keys text[], p_window_ms bigint[], p_clock_ms bigint)
RETURNS TABLE (place bigint, points bigint, expire bigint) LANGUAGE sql VOLATILE AS $$
  WITH asked AS (
    SELECT entry.key, entry.window_ms, entry.place,
      row_number() OVER (PARTITION BY entry.key ORDER BY entry.place) AS turn,
      count(*) OVER (PARTITION BY entry.key) AS taken
    FROM unnest(p_keys, p_window_ms) WITH ORDINALITY AS entry (key, window_ms, place)
    WHERE entry.key IS NOT NULL
  ), held AS (
    INSERT INTO rate_limits AS bucket (key, points, expire)
    -- In order of key, so that two calls never wait for each other in a circle.
    SELECT asked.key, asked.taken, p_clock_ms + asked.window_ms FROM asked WHERE asked.turn = 1 ORDER BY asked.key
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN bucket.expire <= p_clock_ms THEN EXCLUDED.points ELSE bucket.points + EXCLUDED.points END,
      expire = CASE WHEN bucket.expire <= p_clock_ms THEN EXCLUDED.expire ELSE bucket.expire END
    RETURNING bucket.key, bucket.points, bucket.expire
  )
  SELECT asked.place, held.points - asked.taken + asked.turn, held.expire FROM asked JOIN held ON held.key = asked.key
$$;

-- As before, and with the cap of the pool on the outcome itself: what is promised on the side, live quotes and pending
-- positions, against what the pool would still lend (p_borrow_limits[7]). What is lent already has left that room.
CREATE OR REPLACE FUNCTION reserve_quote(
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
  side_promised bigint := 0;
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
    ELSIF scope = 'side' THEN
      side_promised := counter.in_flight_borrow_usdc_units - more_borrow + counter.pending_borrow_usdc_units;
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
  IF scope IS NULL AND side_promised + more_borrow > p_borrow_limits[7] THEN
    measure := 'borrow';
    scope := 'outcome';
    current_amount := side_promised;
    limit_amount := p_borrow_limits[7];
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

-- Reserves and stores several quotes of new position keys at once, when every one of them fits; false, with nothing
-- changed, when one does not or a key is known: the caller then takes them one by one. Counters are locked by rank and
-- key, the order of every other function: user, cluster, side, market, partner, global.
CREATE FUNCTION reserve_new_quotes(p_items jsonb) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  wanted bigint := jsonb_array_length(p_items);
  made bigint;
  over bigint;
BEGIN
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
  ON CONFLICT (position_key) DO NOTHING;
  GET DIAGNOSTICS made = ROW_COUNT;
  IF made < wanted THEN
    RAISE EXCEPTION 'not all of them are new' USING ERRCODE = 'QT001';
  END IF;

  WITH entry AS (
    SELECT counter.key, counter.rank, item.notional, item.borrow,
      item.notional_limits[counter.rank] AS notional_limit, item.borrow_limits[counter.rank] AS borrow_limit,
      item.promise_limits[counter.rank] AS promise_limit
    FROM jsonb_to_recordset(p_items) AS item (
      keys text[], ranks int[], notional bigint, borrow bigint, notional_limits bigint[], borrow_limits bigint[],
      promise_limits bigint[]
    ), unnest(item.keys, item.ranks) AS counter (key, rank)
  ), moved AS (
    INSERT INTO usage_counters AS counter (
      key, in_flight_notional_usd_pips, in_flight_borrow_usdc_units, active_notional_usd_pips,
      pending_borrow_usdc_units, lent_borrow_usdc_units
    )
    SELECT entry.key, sum(entry.notional), sum(entry.borrow), 0, 0, 0
    FROM entry GROUP BY entry.key, entry.rank ORDER BY entry.rank, entry.key
    ON CONFLICT (key) DO UPDATE SET
      in_flight_notional_usd_pips = counter.in_flight_notional_usd_pips + EXCLUDED.in_flight_notional_usd_pips,
      in_flight_borrow_usdc_units = counter.in_flight_borrow_usdc_units + EXCLUDED.in_flight_borrow_usdc_units
    RETURNING counter.*
  )
  -- All of them together fit: then each of them fits after those before it.
  SELECT count(*) INTO over FROM entry JOIN moved ON moved.key = entry.key
  WHERE moved.active_notional_usd_pips + moved.in_flight_notional_usd_pips > entry.notional_limit
    OR moved.in_flight_borrow_usdc_units + moved.pending_borrow_usdc_units + moved.lent_borrow_usdc_units
      > entry.borrow_limit
    OR moved.in_flight_borrow_usdc_units + moved.pending_borrow_usdc_units > entry.promise_limit;
  IF over > 0 THEN
    RAISE EXCEPTION 'not all of them fit' USING ERRCODE = 'QT001';
  END IF;

  INSERT INTO quotes
  SELECT (jsonb_populate_record(NULL::quotes, item -> 'quote')).* FROM jsonb_array_elements(p_items) AS item;
  RETURN true;
EXCEPTION WHEN SQLSTATE 'QT001' THEN
  RETURN false;
END
$$;

-- What POST /quotes does to the database, for all requests that wait at the same moment, in one call and the documented
-- order: the caller's bucket, the Idempotency-Key, the strict bucket, then the reservation with the quote and the kept
-- answer. One transaction: what was answered is stored, what is stored was answered or is answered again by its key.
-- An item has `standard` and `strict` {key, points, window_ms}, `idempotency` {scope, key, request_hash,
-- response_status, response_body} and `reservation` {quote, position_key, keys, ranks, scopes, notional, borrow,
-- release_at, limits by rank, and the two lists of limits of reserve_quote}; each may be null. No two items of a call
-- have the same Idempotency-Key or the same position key. Without a reservation nothing is kept: the request was refused
-- for its own sake, and only what comes before that refusal is looked at.
CREATE FUNCTION admit_quotes(p_items jsonb, p_clock_ms bigint, p_at timestamptz)
RETURNS TABLE (
  outcome text, standard_points bigint, standard_expire bigint, strict_points bigint, strict_expire bigint,
  response_status int, response_body text
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
  has_keys boolean := false;
  reserving jsonb := '[]';
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

  SELECT coalesce(jsonb_agg(entry.item -> 'reservation'), '[]') INTO reserving
  FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place)
  WHERE outcomes[entry.place] = 'admitted' AND jsonb_typeof(entry.item -> 'reservation') = 'object';
  IF jsonb_array_length(reserving) > 0 AND reserve_new_quotes(reserving) THEN
    FOR i IN 1..wanted LOOP
      IF outcomes[i] = 'admitted' AND jsonb_typeof(p_items -> (i - 1) -> 'reservation') = 'object' THEN
        outcomes[i] := 'reserved';
      END IF;
    END LOOP;
  ELSIF jsonb_array_length(reserving) > 0 THEN
    -- One by one; every counter is locked before, so that the order of locks stays the same as everywhere.
    PERFORM 1 FROM usage_counters AS counter JOIN (
      SELECT DISTINCT entry.key, entry.rank
      FROM jsonb_to_recordset(reserving) AS asked (keys text[], ranks int[]), unnest(asked.keys, asked.ranks)
        AS entry (key, rank)
    ) AS named ON named.key = counter.key
    ORDER BY named.rank, counter.key FOR UPDATE OF counter;
    FOR charged IN
      SELECT entry.place::int AS place, asked.*
      FROM jsonb_array_elements(p_items) WITH ORDINALITY AS entry (item, place),
        jsonb_to_record(entry.item -> 'reservation') AS asked (
          quote jsonb, keys text[], scopes text[], notional bigint, borrow bigint, release_at timestamptz,
          all_notional_limits bigint[], all_borrow_limits bigint[]
        )
      WHERE outcomes[entry.place] = 'admitted' AND jsonb_typeof(entry.item -> 'reservation') = 'object'
      ORDER BY entry.place
    LOOP
      SELECT * INTO reserved FROM reserve_quote(
        jsonb_populate_record(NULL::quotes, charged.quote), charged.keys, charged.scopes, charged.notional,
        charged.borrow, charged.release_at, charged.all_notional_limits, charged.all_borrow_limits
      );
      outcomes[charged.place] := reserved.outcome;
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
    RETURN NEXT;
  END LOOP;
END
$$;
