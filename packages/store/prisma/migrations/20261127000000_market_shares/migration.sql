-- Number of shares that keepers divide the markets into. Without its one row the default of the programs holds.
CREATE TABLE "market_sharing" (
    "id" INTEGER NOT NULL,
    "share_count" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "market_sharing_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "market_sharing_count" CHECK ("share_count" >= 1 AND "share_count" & ("share_count" - 1) = 0)
);

-- Share k of n is named `…:k/n`, with n a power of two. Its market hashes are those with the remainder k: so share k of n
-- is part of share k % m of every smaller power m. A holder locks its share alone, and each share that contains it
-- together with others: two holders never have a market in common, whatever counts they work with.

-- Keys of the locks of the shares that contain a share.
CREATE FUNCTION containing_share_keys(lock_name text) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(hashtextextended('lock:' || part[1] || part[2]::int % larger || '/' || larger, 0)), '{}')
  FROM regexp_match(lock_name, '^(.*:)(\d+)/(\d+)$') AS part,
    LATERAL (SELECT 1 << power AS larger FROM generate_series(0, 29) AS power) AS powers
  WHERE larger < part[3]::int
$$;

-- Lock a share for this session. False, and nothing is locked, when another session has a market of it. Never waits.
CREATE FUNCTION lock_market_share(lock_name text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  own bigint := hashtextextended('lock:' || lock_name, 0);
  containing bigint[] := containing_share_keys(lock_name);
BEGIN
  IF NOT pg_try_advisory_lock(own) THEN
    RETURN false;
  END IF;
  FOR step IN 1..cardinality(containing) LOOP
    IF NOT pg_try_advisory_lock_shared(containing[step]) THEN
      PERFORM pg_advisory_unlock_shared(key) FROM unnest(containing[1:step - 1]) AS key;
      PERFORM pg_advisory_unlock(own);
      RETURN false;
    END IF;
  END LOOP;
  RETURN true;
END
$$;

-- Release a share that this session has locked.
CREATE FUNCTION unlock_market_share(lock_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_unlock_shared(key) FROM unnest(containing_share_keys(lock_name)) AS key;
  PERFORM pg_advisory_unlock(hashtextextended('lock:' || lock_name, 0));
END
$$;

-- Lock the free ones of these shares, which have one count, and give each a token above all before it. The tokens of
-- shares of other counts that overlap them rise too: their last holders write nothing more. Rows are locked in the order
-- of their names, so that two callers never wait for each other.
CREATE FUNCTION acquire_market_shares(lock_names text[]) RETURNS TABLE (lock_name text, token bigint)
LANGUAGE plpgsql AS $$
DECLARE
  locked text[];
BEGIN
  SELECT array_agg(wanted ORDER BY wanted) INTO locked FROM unnest(lock_names) AS wanted WHERE lock_market_share(wanted);
  IF locked IS NULL THEN
    RETURN;
  END IF;
  WITH acquired AS MATERIALIZED (
    SELECT part[1] AS prefix, part[2]::int AS share, part[3]::int AS share_count
    FROM unnest(locked) AS one, regexp_match(one, '^(.*:)(\d+)/(\d+)$') AS part
  ), other AS MATERIALIZED (
    SELECT fence.name, part[1] AS prefix, part[2]::int AS share, part[3]::int AS share_count
    FROM lock_fences AS fence, regexp_match(fence.name, '^(.*:)(\d+)/(\d+)$') AS part
    WHERE part IS NOT NULL
  ), overlapping AS MATERIALIZED (
    SELECT fence.name FROM lock_fences AS fence
    WHERE fence.name IN (
      SELECT other.name FROM other JOIN acquired ON acquired.prefix = other.prefix
        AND acquired.share_count <> other.share_count
        AND acquired.share % least(acquired.share_count, other.share_count)
          = other.share % least(acquired.share_count, other.share_count)
    )
    ORDER BY fence.name FOR UPDATE
  )
  UPDATE lock_fences AS fence SET fence_token = fence.fence_token + 1
  FROM overlapping WHERE fence.name = overlapping.name;
  RETURN QUERY
    INSERT INTO lock_fences AS fence (name, fence_token) SELECT one, 1 FROM unnest(locked) AS one
    ON CONFLICT (name) DO UPDATE SET fence_token = fence.fence_token + 1
    RETURNING fence.name, fence.fence_token;
END
$$;

-- Keepers of earlier versions lock one of eight shares under a name without its count. A token that cannot grow refuses
-- their next lock and every effect under the last one: they act no more.
INSERT INTO "lock_fences" ("name", "fence_token")
SELECT 'keeper:effects:' || share, 9223372036854775807 FROM generate_series(0, 7) AS share
ON CONFLICT ("name") DO UPDATE SET "fence_token" = excluded."fence_token";
