import { type Request, type Response, Router } from 'express';
import type { RunningMarket } from '../venue/marketRegistry.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { gammaEvent, gammaMarket } from './gammaRecord.ts';
import { tradingTerms } from './tradingTermsRoutes.ts';

const maximumPage = 500;
/** Maximum records per page of the keyset list; a larger limit is capped. */
const maximumKeysetPage = 100;
/** Maximum offset of the legacy list. */
const maximumOffset = 2_000;
const endCursor = 'LTE=';

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((entry): entry is string => typeof entry === 'string');

const wholeOf = (value: unknown, byDefault: number, maximum: number): number => {
  const text = textOf(value);
  return text !== null && /^\d{1,9}$/.test(text) ? Math.min(maximum, Number(text)) : byDefault;
};

const cursorOf = (offset: number): string => Buffer.from(offset.toString()).toString('base64');
const offsetOf = (cursor: string): number => wholeOf(Buffer.from(cursor, 'base64').toString(), 0, 1e9);

/**
 * Send one page, as a bare list or, for a caller that pages by cursor, with the next cursor. Only the entries of the
 * page are formatted.
 */
function sendPage<Item>(
  { request, response }: { readonly request: Request; readonly response: Response },
  all: readonly Item[],
  present: (item: Item) => unknown,
): void {
  const cursor = textOf(request.query['cursor']);
  const limit = Math.max(1, wholeOf(request.query['limit'], 100, maximumPage));
  const offset = cursor === null ? wholeOf(request.query['offset'], 0, 1e9) : offsetOf(cursor);
  const page = all.slice(offset, offset + limit).map(present);
  if (request.query['cursor'] === undefined) {
    response.json(page);
    return;
  }
  const next = offset + limit < all.length ? cursorOf(offset + limit) : endCursor;
  response.json({ data: page, limit, count: page.length, next_cursor: next });
}

/** Reject an offset above the limit of the legacy list. @returns true when it was rejected. */
function refuseOffset({ query }: Request, response: Response): boolean {
  if (wholeOf(query['offset'], 0, 1e9) <= maximumOffset) return false;
  const error = `offset exceeds maximum of ${maximumOffset}: read /markets/keyset with after_cursor`;
  response.status(422).json({ type: 'validation error', error });
  return true;
}

/** Deprecation headers of the legacy lists. */
const sunsetHeaders = { Deprecation: 'true', Sunset: 'Fri, 01 May 2026 00:00:00 GMT' };

/** Keyset list: its items, oldest first, and the key that a cursor contains. */
interface KeysetList<Item> {
  readonly field: 'markets' | 'events';
  readonly all: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Rank of a key among everything ever listed, closed or open; null for one that was never listed. */
  readonly rankOf: (key: string) => number | null;
  readonly present: (item: Item) => unknown;
}

/**
 * Send one page of a keyset list: the records after the one that the cursor names, and a cursor unless it is the last
 * page. A limit above the maximum is capped.
 */
function sendKeysetPage<Item>({ query }: Request, response: Response, list: KeysetList<Item>): void {
  if (query['offset'] !== undefined) {
    response.status(422).json({ type: 'validation error', error: 'offset is not supported: use after_cursor' });
    return;
  }
  const limit = Math.max(1, wholeOf(query['limit'], 20, maximumKeysetPage));
  const afterKey = Buffer.from(textOf(query['after_cursor']) ?? '', 'base64url').toString();
  const afterRank = afterKey === '' ? -1 : list.rankOf(afterKey);
  if (afterRank === null) {
    response.status(400).json({ type: 'validation error', error: 'after_cursor is unknown' });
    return;
  }
  const rest = list.all.filter((item) => (list.rankOf(list.keyOf(item)) ?? -1) > afterRank);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rest.length > limit && last !== undefined;
  response.json({
    [list.field]: page.map(list.present),
    ...(hasMore ? { next_cursor: Buffer.from(list.keyOf(last)).toString('base64url') } : {}),
  });
}

/** Return the markets of the keyset list: the open ones without `closed`. */
function keysetMarkets(venue: SimVenue, { query }: Request): KeysetList<RunningMarket> {
  // Ranked among all markets: the one of the cursor may have closed since.
  const ranks = new Map(venue.markets.listed.map(({ market }, rank) => [market.slug, rank]));
  return {
    field: 'markets',
    all: selected(venue, { ...query, closed: textOf(query['closed']) ?? 'false' }),
    keyOf: ({ market }) => market.slug,
    rankOf: (key) => ranks.get(key) ?? null,
    present: ({ market }) => gammaMarket(venue, market),
  };
}

/** Return the events of the keyset list: those with an open market without `closed`. */
function keysetEvents(venue: SimVenue, { query }: Request): KeysetList<EventGroup> {
  const ranks = new Map(eventsOf(venue.markets.listed).map(({ slug }, rank) => [slug, rank]));
  const slug = textOf(query['slug']);
  const { slug: _slug, ...rest } = query;
  const groups = eventsOf(selected(venue, { ...rest, closed: textOf(query['closed']) ?? 'false' }));
  return {
    field: 'events',
    all: groups.filter((group) => slug === null || group.slug === slug),
    keyOf: (group) => group.slug,
    rankOf: (key) => ranks.get(key) ?? null,
    present: (group) => eventBody(venue, group),
  };
}

/** Filter the markets by the query. An absent filter selects all. */
function selected(venue: SimVenue, query: Request['query']): readonly RunningMarket[] {
  const slugs = listOf(query['slug']);
  const candidates =
    slugs.length === 0 ? venue.markets.listed : slugs.flatMap((slug) => venue.markets.bySlug(slug) ?? []);
  const conditions = listOf(query['condition_ids']).map((id) => id.toLowerCase());
  const tokens = listOf(query['clob_token_ids']);
  const closedFilter = textOf(query['closed']);
  const active = textOf(query['active']);
  return candidates.filter(({ market }) => {
    const { conditionId, tokenIds } = market.definition;
    const isClosed = market.stage === 'resolved';
    return (
      (conditions.length === 0 || conditions.includes(conditionId)) &&
      (tokens.length === 0 || tokenIds.some((id) => tokens.includes(id.toString()))) &&
      (closedFilter === null || (closedFilter === 'true') === isClosed) &&
      (active === null || active === 'true')
    );
  });
}

interface EventGroup {
  readonly slug: string;
  readonly seriesSlug: string | null;
  readonly markets: RunningMarket[];
}

function eventsOf(markets: readonly RunningMarket[]): EventGroup[] {
  const groups = new Map<string, EventGroup>();
  for (const running of markets) {
    const { event } = running.market.definition;
    const group = groups.get(event.slug);
    if (group === undefined) {
      groups.set(event.slug, { slug: event.slug, seriesSlug: event.series?.slug ?? null, markets: [running] });
    } else group.markets.push(running);
  }
  return [...groups.values()];
}

const eventBody = (venue: SimVenue, group: EventGroup): unknown => {
  const [first] = group.markets;
  if (first === undefined) return null;
  const markets = group.markets.map(({ market }) => {
    const { events: _events, ...record } = gammaMarket(venue, market);
    return record;
  });
  return { ...gammaEvent(venue, first.market), markets };
};

/** Routes of the catalogue: markets, events and series. */
export function gammaRoutes(venue: SimVenue): Router {
  const router = Router();
  router.get('/markets', (request, response) => {
    response.set(sunsetHeaders);
    if (refuseOffset(request, response)) return;
    sendPage({ request, response }, selected(venue, request.query), ({ market }) => gammaMarket(venue, market));
  });
  router.get('/markets/keyset', (request, response) => {
    sendKeysetPage(request, response, keysetMarkets(venue, request));
  });
  router.get('/events/keyset', (request, response) => {
    sendKeysetPage(request, response, keysetEvents(venue, request));
  });
  router.get('/markets/slug/:slug', (request, response) => {
    const running = venue.markets.bySlug(request.params.slug);
    if (running === undefined) response.status(404).json({ type: 'not found error', error: 'market not found' });
    else response.json(gammaMarket(venue, running.market));
  });
  router.get('/markets/:id', (request, response) => {
    const { id } = request.params;
    const running =
      venue.markets.byCondition(id) ?? venue.markets.listed.find(({ market }) => market.definition.id === id);
    if (running === undefined) response.status(404).json({ type: 'not found error', error: 'market not found' });
    else if (id.startsWith('0x')) response.json(tradingTerms(running.market));
    else response.json(gammaMarket(venue, running.market));
  });
  router.get('/events', (request, response) => {
    const slug = textOf(request.query['slug']);
    const { slug: _slug, ...rest } = request.query;
    const groups = eventsOf(selected(venue, rest)).filter((group) => slug === null || group.slug === slug);
    sendPage({ request, response }, groups, (group) => eventBody(venue, group));
  });
  router.get('/series', (request, response) => {
    const slug = textOf(request.query['slug']);
    const bySlug = new Map<string, unknown>();
    for (const { market } of venue.markets.listed) {
      const { series } = market.definition.event;
      if (series === null || bySlug.has(series.slug) || (slug !== null && series.slug !== slug)) continue;
      bySlug.set(series.slug, {
        id: series.id,
        ticker: series.slug,
        slug: series.slug,
        title: series.title,
        seriesType: 'single',
        recurrence: series.recurrence,
        active: true,
        closed: false,
        archived: false,
      });
    }
    sendPage({ request, response }, [...bySlug.values()], (series) => series);
  });
  return router;
}
