-- Every piece of one, two or three characters of a text: what is searched for has pieces that a match must have too.
-- Built-in types alone, so that no extension has to be there. The cost keeps planners from making them of every row.
CREATE FUNCTION text_pieces(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
  SELECT coalesce(array_agg(piece), '{}')
  FROM string_to_array(value, NULL) AS characters,
    unnest(characters, characters[2:], characters[3:]) AS place (first, second, third),
    unnest(ARRAY[first, first || second, first || second || third]) AS piece
  WHERE piece IS NOT NULL
$$;
-- The longest pieces of what is searched for: the others are within them.
CREATE FUNCTION search_pieces(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(DISTINCT substr(value, place, 3) COLLATE "C")
  FROM generate_series(1, greatest(1, length(value) - 2)) AS place
$$;

-- What a search may find: a part of the title, or exactly the ticker in any case. Tokens have their indexes.
CREATE INDEX "markets_finalized_title_pieces" ON "markets" USING gin (text_pieces(lower("title")))
  WITH (fastupdate = off) WHERE status = 'finalized';
CREATE INDEX "markets_finalized_lower_ticker" ON "markets" (lower("ticker")) WHERE status = 'finalized';

-- Pages of one category in either order, of one series by discovery, and totals without a look at the rows.
CREATE INDEX "markets_finalized_by_category" ON "markets" ("category", "ticker" COLLATE "C")
  WHERE status = 'finalized';
CREATE INDEX "markets_finalized_by_category_discovery" ON "markets" (
  "category", "discovered_at" DESC, "ticker" COLLATE "C"
) WHERE status = 'finalized';
CREATE INDEX "markets_finalized_by_series_discovery" ON "markets" (
  "series_ticker", "discovered_at" DESC, "ticker" COLLATE "C"
) WHERE status = 'finalized';
CREATE INDEX "markets_finalized_totals" ON "markets" ("category", "series_ticker") WHERE status = 'finalized';
