import { reject } from '@core/errors';
import type { MarketRecord } from '@core/store';
import type { ListWire, MarketWire } from '@core/wire';
import type { Caller } from '../auth/caller.ts';
import { type Answer, answer, type Call, type Handler } from '../http/call.ts';
import { invalidRequest } from '../http/refusal.ts';
import type { ListedView } from '../observe/marketBoard.ts';
import type { Service } from '../service.ts';
import { pageOf } from './pageOf.ts';

type MarketQuery = Call<'listMarkets'>['query'];
type ListAnswer = Answer<'listMarkets'>;

/** GET /markets: all markets, filtered, sorted, one page. */
export function listMarkets(service: Service): Handler<'listMarkets'> {
  return ({ caller, query }) => listOf(service, { caller, query, isIn: () => true });
}

/** The deprecated GET /markets/search: the list with `query` required. */
export function searchMarkets(service: Service): Handler<'searchMarkets'> {
  return ({ caller, query }) => listOf(service, { caller, query, isIn: () => true });
}

/** GET /events/{event_ticker}/markets. */
export function listEventMarkets(service: Service): Handler<'listEventMarkets'> {
  return async ({ caller, query, params }) => {
    const { event_ticker: eventTicker } = params;
    if (!service.markets.hasEvent(eventTicker)) return reject('customer_event_not_found');
    return listOf(service, { caller, query, isIn: (record) => record.eventTicker === eventTicker });
  };
}

/** GET /series/{series_ticker}/markets: across all events of the series. */
export function listSeriesMarkets(service: Service): Handler<'listSeriesMarkets'> {
  return async ({ caller, query, params }) => {
    const { series_ticker: seriesTicker } = params;
    if (!service.markets.hasSeries(seriesTicker)) return reject('customer_series_not_found');
    return listOf(service, { caller, query, isIn: (record) => record.seriesTicker === seriesTicker });
  };
}

/** GET /markets/{ticker}. */
export function getMarket(service: Service): Handler<'getMarket'> {
  return async ({ caller, query, params }) => {
    const found = service.markets.byTicker(params.ticker);
    const [view] = found === null ? [] : await service.board.viewsOf(caller.partner, [found.record]);
    if (view === undefined) return reject('customer_market_not_found');
    return answer(wireOf(view, query.expand?.includes('prices') === true));
  };
}

async function listOf(
  service: Service,
  list: { caller: Caller; query: MarketQuery; isIn: (record: MarketRecord) => boolean },
): Promise<ListAnswer> {
  const { query } = list;
  const records = [...service.markets.records()].filter((record) => list.isIn(record) && matches(record, query));
  const views = await service.board.viewsOf(list.caller.partner, records);
  const { accepting_new_positions: wanted } = query;
  const filtered = wanted === undefined ? views : views.filter(({ isAccepting }) => isAccepting === wanted);
  const compare = comparisons[query.sort];
  const cursorTicker = query.starting_after ?? query.ending_before;
  const cursor = cursorTicker === undefined ? null : await cursorOf(service, list.caller, cursorTicker);
  if (cursorTicker !== undefined && cursor === null) {
    return invalidRequest(
      `${query.starting_after === undefined ? 'ending_before' : 'starting_after'}: names no market`,
    );
  }
  const page = pageOf(filtered.toSorted(compare), {
    limit: query.limit,
    isAfterStart: cursor === null || query.starting_after === undefined ? null : (view) => compare(view, cursor) > 0,
    isBeforeEnd: cursor === null || query.ending_before === undefined ? null : (view) => compare(view, cursor) < 0,
  });
  const withPrices = query.expand?.includes('prices') === true;
  const body: ListWire<MarketWire> = {
    data: page.data.map((view) => wireOf(view, withPrices)),
    has_more: page.hasMore,
  };
  if (query.expand?.includes('total_count') === true) body.total_count = filtered.length;
  return answer(body);
}

async function cursorOf(service: Service, caller: Caller, ticker: string): Promise<ListedView | null> {
  const found = service.markets.byTicker(ticker);
  if (found === null) return null;
  const [view] = await service.board.viewsOf(caller.partner, [found.record]);
  return view ?? null;
}

function wireOf(view: ListedView, withPrices: boolean): MarketWire {
  return withPrices ? { ...view.wire, prices: view.prices ?? null } : view.wire;
}

function matches(record: MarketRecord, { status, category, query }: MarketQuery): boolean {
  if (record.status !== status || (category !== undefined && record.category !== category)) return false;
  if (query === undefined) return true;
  const wanted = query.toLowerCase();
  return (
    record.title?.toLowerCase().includes(wanted) === true ||
    record.ticker.toLowerCase() === wanted ||
    record.yesTokenId === query ||
    record.noTokenId === query
  );
}

const byTicker = (a: ListedView, b: ListedView): number => {
  if (a.record.ticker === b.record.ticker) return 0;
  return a.record.ticker < b.record.ticker ? -1 : 1;
};

/** Total orders: ties are broken by ticker. */
const comparisons: Record<MarketQuery['sort'], (a: ListedView, b: ListedView) => number> = {
  ticker_asc: byTicker,
  depth_desc: (a, b) => (a.depthPips === b.depthPips ? byTicker(a, b) : a.depthPips > b.depthPips ? -1 : 1),
  discovered_at_desc: (a, b) => b.record.discoveredAtMs - a.record.discoveredAtMs || byTicker(a, b),
};
