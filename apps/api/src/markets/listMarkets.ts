import { reject } from '@core/errors';
import { isMatch, type MarketFilters, type MarketRecord } from '@core/market';
import { compare, type UsdPips } from '@core/pricing';
import type { MarketStore } from '@core/store';
import type { Caller } from '../auth/authenticate.ts';
import { type Answer, type Call, type Handler, invalidRequest, isExpanded } from '../http/call.ts';
import { type PageBytes, type PageCache, pageBytesOf } from '../http/pageCache.ts';
import type { ListedView, MarketBoard } from './marketBoard.ts';
import type { MarketDirectory } from './marketDirectory.ts';
import { termsVersionOf } from './termsVersion.ts';

type MarketQuery = Call<'listMarkets'>['query'];
type ListAnswer = Answer<'listMarkets'>;

/** All listed markets, and what each shows to a partner. */
interface MarketSource {
  readonly markets: MarketDirectory;
  readonly store: Pick<MarketStore, 'listFinalized'>;
  readonly board: MarketBoard;
  readonly pages: PageCache;
}

/** Event or series that a route is restricted to. */
type Narrowing = Pick<MarketFilters, 'eventTicker' | 'seriesTicker'>;

/** GET /markets: all markets, filtered, sorted, one page. */
export function listMarkets(source: MarketSource): Handler<'listMarkets'> {
  return ({ caller, query }) => pageOf(source, { caller, query, narrowing: {} });
}

/** The deprecated GET /markets/search: the list with `query` required. */
export function searchMarkets(source: MarketSource): Handler<'searchMarkets'> {
  return ({ caller, query }) => pageOf(source, { caller, query, narrowing: {} });
}

/** GET /events/{event_ticker}/markets. */
export function listEventMarkets(source: MarketSource): Handler<'listEventMarkets'> {
  return async ({ caller, query, params }) => {
    const { event_ticker: eventTicker } = params;
    if (!(await source.markets.hasEvent(eventTicker))) return reject('customer_event_not_found');
    return pageOf(source, { caller, query, narrowing: { eventTicker } });
  };
}

/** GET /series/{series_ticker}/markets: across all events of the series. */
export function listSeriesMarkets(source: MarketSource): Handler<'listSeriesMarkets'> {
  return async ({ caller, query, params }) => {
    const { series_ticker: seriesTicker } = params;
    if (!(await source.markets.hasSeries(seriesTicker))) return reject('customer_series_not_found');
    return pageOf(source, { caller, query, narrowing: { seriesTicker } });
  };
}

/** GET /markets/{ticker}. */
export function getMarket(source: MarketSource): Handler<'getMarket'> {
  return async ({ caller, query, params }) => {
    const market = await source.markets.find(params.ticker);
    if (market === null) return reject('customer_market_not_found');
    for await (const view of source.board.viewsOf(caller.partner, [market.record])) {
      return pageBytesOf(view.expandedJson(query));
    }
    return reject('customer_market_not_found');
  };
}

interface Asked {
  readonly caller: Caller;
  readonly query: MarketQuery;
  readonly narrowing: Narrowing;
}

/** One page; callers under the same terms who ask for the same within a moment get the same bytes. */
function pageOf(source: MarketSource, asked: Asked): Promise<ListAnswer> {
  const key = JSON.stringify([termsVersionOf(asked.caller.partner), asked.narrowing, asked.query]);
  return source.pages.get(key, () => buildPage(source, asked));
}

async function buildPage(source: MarketSource, asked: Asked): Promise<ListAnswer> {
  const { query } = asked;
  const cursorTicker = query.starting_after ?? query.ending_before;
  const cursor = cursorTicker === undefined ? null : ((await source.markets.find(cursorTicker))?.record ?? null);
  if (cursorTicker !== undefined && (cursor === null || !isListed(cursor))) {
    const param = query.starting_after === undefined ? 'ending_before' : 'starting_after';
    return invalidRequest(param, 'names no market');
  }
  return query.status === 'finalized' ? finalizedPage(source, asked, cursor) : livePage(source, asked, cursor);
}

/** Finalized markets never accept and have no depth; their page is cut by the database. */
async function finalizedPage(source: MarketSource, asked: Asked, cursor: MarketRecord | null): Promise<PageBytes> {
  const { caller, query } = asked;
  const withTotalCount = isExpanded(query, 'total_count');
  if (query.accepting_new_positions === true) return envelopeOf([], false, withTotalCount ? 0 : null);
  const { rows, hasMore, totalCount } = await source.store.listFinalized({
    ...filtersOf(asked),
    sort: query.sort === 'discovered_at_desc' ? 'discovered' : 'ticker',
    limit: query.limit,
    cursor: cursor && { at: cursor, direction: query.starting_after === undefined ? 'before' : 'after' },
    withTotalCount,
  });
  const page: ListedView[] = [];
  for await (const view of source.board.viewsOf(caller.partner, rows)) page.push(view);
  return envelopeOf(jsonsOf(page, query), hasMore, totalCount);
}

/** Return a page of markets that are not final, which are in memory. Only shown views are built. */
async function livePage(source: MarketSource, asked: Asked, cursor: MarketRecord | null): Promise<PageBytes> {
  const { caller, query } = asked;
  const filters = filtersOf(asked);
  const records = source.markets.sorted().filter((r) => r.status === query.status && isMatch(r, filters));
  const order = orderOf(source.board, query.sort);
  const sorted = query.sort === 'ticker_asc' ? records : records.toSorted(order);
  const isBackward = query.ending_before !== undefined;
  const inReach = cursor === null ? sorted : sorted.filter((record) => isBeyond(order(record, cursor), isBackward));
  const isAccepting = query.accepting_new_positions;
  const page: ListedView[] = [];
  // A page before the cursor is read backwards from it and turned around.
  for await (const view of source.board.viewsOf(caller.partner, isBackward ? inReach.toReversed() : inReach)) {
    if (isAccepting === undefined || view.figures.isAccepting === isAccepting) page.push(view);
    if (page.length > query.limit) break;
  }
  const pageViews = page.slice(0, query.limit);
  const data = jsonsOf(isBackward ? pageViews.toReversed() : pageViews, query);
  return envelopeOf(data, page.length > query.limit, await totalOf(source, { caller, query, records }));
}

/** The total is known without a view unless it depends on what accepts. */
async function totalOf(
  { board }: MarketSource,
  { caller, query, records }: Pick<Asked, 'caller' | 'query'> & { readonly records: readonly MarketRecord[] },
): Promise<number | null> {
  if (!isExpanded(query, 'total_count')) return null;
  if (query.accepting_new_positions === undefined) return records.filter(isListed).length;
  let count = 0;
  for await (const { figures } of board.viewsOf(caller.partner, records)) {
    if (figures.isAccepting === query.accepting_new_positions) count += 1;
  }
  return count;
}

/** The order of a sort: total, ties are broken by ticker. Depths are those of one moment, each looked up once. */
function orderOf(board: MarketBoard, sort: MarketQuery['sort']): (a: MarketRecord, b: MarketRecord) => number {
  if (sort === 'ticker_asc') return byTicker;
  if (sort !== 'depth_desc') return byDiscovery;
  const depths = new Map<MarketRecord, UsdPips>();
  const depthOf = (record: MarketRecord): UsdPips => {
    const depth = depths.get(record) ?? board.depthOf(record);
    depths.set(record, depth);
    return depth;
  };
  return (a, b) => compare(depthOf(b), depthOf(a)) || byTicker(a, b);
}

function isBeyond(order: number, isBackward: boolean): boolean {
  return isBackward ? order < 0 : order > 0;
}

function jsonsOf(views: readonly ListedView[], query: MarketQuery): readonly string[] {
  return views.map((view) => view.expandedJson(query));
}

/** The list envelope around items that are JSON already. */
function envelopeOf(data: readonly string[], hasMore: boolean, totalCount: number | null): PageBytes {
  const total = totalCount === null ? '' : `,"total_count":${totalCount}`;
  return pageBytesOf(`{"data":[${data.join()}],"has_more":${hasMore}${total}}`);
}

/** Return every filter of a request. Memory and database apply the same. */
function filtersOf({ narrowing, query }: Asked): Readonly<Record<keyof MarketFilters, string | undefined>> {
  const { eventTicker, seriesTicker } = narrowing;
  return { category: query.category, eventTicker, seriesTicker, query: query.query };
}

/** Only these categories are listed; what any other has is shown nowhere. */
function isListed({ category }: MarketRecord): boolean {
  return category === 'crypto' || category === 'sport';
}

function byTicker(a: MarketRecord, b: MarketRecord): number {
  if (a.ticker === b.ticker) return 0;
  return a.ticker < b.ticker ? -1 : 1;
}

function byDiscovery(a: MarketRecord, b: MarketRecord): number {
  return b.discoveredAtMs - a.discoveredAtMs || byTicker(a, b);
}
