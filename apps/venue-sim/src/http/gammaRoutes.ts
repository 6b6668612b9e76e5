import { type Request, type Response, Router } from 'express';
import type { SimMarket } from '../market/simMarket.ts';
import { formatPrice } from '../units/decimals.ts';
import type { RunningMarket } from '../venue/marketRegistry.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { gammaEvent, gammaMarket } from './gammaRecord.ts';

const maximumPage = 500;
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
 * Sends one page, as a bare list or, when the caller pages by cursor, with the next cursor. Only the page is made into
 * records, however long the list has grown.
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

/** Keeps what the query asks for; filters that are absent keep everything. */
function selected(venue: SimVenue, query: Request['query']): readonly RunningMarket[] {
  const slugs = listOf(query['slug']);
  const found = slugs.length === 0 ? venue.markets.listed : slugs.flatMap((slug) => venue.markets.bySlug(slug) ?? []);
  const conditions = listOf(query['condition_ids']).map((id) => id.toLowerCase());
  const tokens = listOf(query['clob_token_ids']);
  const closed = textOf(query['closed']);
  const active = textOf(query['active']);
  return found.filter(({ market }) => {
    const { conditionId, tokenIds } = market.definition;
    const isClosed = market.stage === 'resolved';
    return (
      (conditions.length === 0 || conditions.includes(conditionId)) &&
      (tokens.length === 0 || tokenIds.some((id) => tokens.includes(id.toString()))) &&
      (closed === null || (closed === 'true') === isClosed) &&
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

/** What the engine trades, as the book server's own `GET /markets/{condition}` shows it. */
function tradingTerms(market: SimMarket): unknown {
  const { definition, stage, resolution } = market;
  return {
    condition_id: definition.conditionId,
    question_id: definition.questionId,
    market_slug: definition.slug,
    question: definition.question,
    active: true,
    closed: stage === 'resolved',
    archived: false,
    accepting_orders: stage === 'trading' && market.isListed,
    enable_order_book: true,
    neg_risk: definition.isNegRisk,
    minimum_order_size: 5,
    minimum_tick_size: Number(formatPrice(market.tickPricePips)),
    end_date_iso: new Date(definition.endDateMs).toISOString(),
    game_start_time: definition.gameStartMs === null ? null : new Date(definition.gameStartMs).toISOString(),
    seconds_delay: definition.gameStartMs === null ? 0 : 3,
    tokens: ([0, 1] as const).map((outcome) => ({
      token_id: market.tokenIdOf(outcome).toString(),
      outcome: definition.outcomes[outcome],
      winner: resolution === outcome,
    })),
  };
}

/** The catalogue: markets, events and series. */
export function gammaRoutes(venue: SimVenue): Router {
  const router = Router();
  router.get('/markets', (request, response) => {
    sendPage({ request, response }, selected(venue, request.query), ({ market }) => gammaMarket(venue, market));
  });
  router.get('/markets/slug/:slug', (request, response) => {
    const found = venue.markets.bySlug(request.params.slug);
    if (found === undefined) response.status(404).json({ type: 'not found error', error: 'market not found' });
    else response.json(gammaMarket(venue, found.market));
  });
  router.get('/markets/:id', (request, response) => {
    const { id } = request.params;
    const found =
      venue.markets.byCondition(id) ?? venue.markets.listed.find(({ market }) => market.definition.id === id);
    if (found === undefined) response.status(404).json({ type: 'not found error', error: 'market not found' });
    else if (id.startsWith('0x')) response.json(tradingTerms(found.market));
    else response.json(gammaMarket(venue, found.market));
  });
  router.get('/events', (request, response) => {
    const slug = textOf(request.query['slug']);
    const { slug: _slug, ...rest } = request.query;
    const groups = eventsOf(selected(venue, rest)).filter((group) => slug === null || group.slug === slug);
    sendPage({ request, response }, groups, (group) => eventBody(venue, group));
  });
  router.get('/series', (request, response) => {
    const slug = textOf(request.query['slug']);
    const known = new Map<string, unknown>();
    for (const { market } of venue.markets.listed) {
      const { series } = market.definition.event;
      if (series === null || known.has(series.slug) || (slug !== null && series.slug !== slug)) continue;
      known.set(series.slug, {
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
    sendPage({ request, response }, [...known.values()], (series) => series);
  });
  return router;
}
