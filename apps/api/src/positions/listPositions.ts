import { reject } from '@core/errors';
import type { PositionListQuery, PositionStore } from '@core/store';
import { storedIdOf } from '@core/wire';
import type { UserCaller } from '../auth/authenticate.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import {
  type Answer,
  answer,
  type Call,
  type Handler,
  invalidRequest,
  isExpanded,
  type Refusal,
} from '../http/call.ts';
import { listJsonOf, presentList } from '../http/listPage.ts';
import { pageBytesOf } from '../http/pageCache.ts';
import { type OnPoison, soundOnesOf } from '../http/soundOnes.ts';
import type { MarketDirectory } from '../markets/marketDirectory.ts';
import type { FindOwnPosition, ObservePositions } from './observePositions.ts';
import type { PositionJson } from './positionJson.ts';
import { presentPosition } from './presentPosition.ts';

type ListQuery = Call<'listPositions'>['query'];
type Narrowing = Pick<PositionListQuery, 'ticker' | 'eventTicker' | 'seriesTicker'>;

/** Lists a wallet's positions and shows each. */
interface PositionLister {
  readonly positions: Pick<PositionStore, 'list'>;
  readonly observe: ObservePositions;
  readonly jsonOf: PositionJson;
  readonly idNamespace: string;
  readonly onPoison: OnPoison;
}

/** The same, and what a path may name. */
type NarrowingLister<Known extends keyof MarketDirectory> = PositionLister & {
  readonly markets: Pick<MarketDirectory, Known>;
};

/** GET /positions: the positions of the token's wallet within its partner. */
export function listPositions(lister: PositionLister): Handler<'listPositions'> {
  return ({ caller, query, nowMs }) => {
    return listOf(lister, { caller, query, narrowing: {}, nowMs });
  };
}

/** GET /markets/{ticker}/positions. */
export function listMarketPositions(lister: NarrowingLister<'find'>): Handler<'listMarketPositions'> {
  return async ({ caller, query, params, nowMs }) => {
    if ((await lister.markets.find(params.ticker)) === null) return reject('customer_market_not_found');
    // Path and query filter together: two tickers have no position in common.
    if (query.ticker !== undefined && query.ticker !== params.ticker) {
      return answer(presentList({ data: [], hasMore: false, totalCount: isExpanded(query, 'total_count') ? 0 : null }));
    }
    return listOf(lister, { caller, query, narrowing: { ticker: params.ticker }, nowMs });
  };
}

/** GET /events/{event_ticker}/positions. */
export function listEventPositions(lister: NarrowingLister<'hasEvent'>): Handler<'listEventPositions'> {
  return async ({ caller, query, params, nowMs }) => {
    if (!(await lister.markets.hasEvent(params.event_ticker))) return reject('customer_event_not_found');
    return listOf(lister, { caller, query, narrowing: { eventTicker: params.event_ticker }, nowMs });
  };
}

/** GET /series/{series_ticker}/positions. */
export function listSeriesPositions(lister: NarrowingLister<'hasSeries'>): Handler<'listSeriesPositions'> {
  return async ({ caller, query, params, nowMs }) => {
    if (!(await lister.markets.hasSeries(params.series_ticker))) return reject('customer_series_not_found');
    return listOf(lister, { caller, query, narrowing: { seriesTicker: params.series_ticker }, nowMs });
  };
}

/** GET /positions/{position_id}. */
export function getPosition(source: {
  readonly findOwn: FindOwnPosition;
  readonly observe: ObservePositions;
  readonly idNamespace: string;
}): Handler<'getPosition'> {
  return async ({ caller, params, query, nowMs }) => {
    const position = await source.findOwn(caller, params.position_id);
    if (position === null) return reject('customer_position_not_found');
    const [view] = await source.observe([position], { nowMs, expand: query.expand ?? [] });
    if (view === undefined) throw new Error('a position was observed without a view of it');
    return answer(presentPosition(view, source.idNamespace));
  };
}

async function listOf(
  { positions, observe, jsonOf, idNamespace, onPoison }: PositionLister,
  list: { caller: UserCaller; query: ListQuery; narrowing: Narrowing; nowMs: number },
): Promise<Answer<'listPositions'>> {
  const { caller, query, narrowing, nowMs } = list;
  const expand: readonly string[] = query.expand ?? [];
  const cursors = cursorsOf(query, idNamespace);
  if (cursors === null) return unknownCursor(query);
  const tokenId = query.token_id ?? query.venue_token_id;
  const page = await positions.list({
    partnerId: caller.partner.id,
    walletAddress: storedWalletAddressOf(caller.wallet),
    ...(query.ticker !== undefined && { ticker: query.ticker }),
    ...narrowing,
    ...cursors,
    ...(tokenId !== undefined && { tokenId }),
    ...(query.status !== undefined && { status: query.status }),
    ...(query.state !== undefined && { state: query.state }),
    sortBy: query.sort_by,
    sortDirection: query.sort_direction,
    limit: query.limit,
    withTotalCount: expand.includes('total_count'),
  });
  if (page.kind === 'unknown_cursor') return unknownCursor(query);
  const views = await observe(page.data, { nowMs, expand });
  const data = soundOnesOf(views, jsonOf, ({ position }, cause) => onPoison(position, cause));
  return pageBytesOf(listJsonOf({ ...page, data }));
}

function unknownCursor(query: ListQuery): Refusal {
  const param = query.starting_after === undefined ? 'ending_before' : 'starting_after';
  return invalidRequest(param, 'names no position of this wallet');
}

/** Cursors as the database knows them; null when one carries another environment's prefix. */
function cursorsOf(
  query: ListQuery,
  idNamespace: string,
): Pick<PositionListQuery, 'startingAfter' | 'endingBefore'> | null {
  const wireCursor = query.starting_after ?? query.ending_before;
  if (wireCursor === undefined) return {};
  const cursor = storedIdOf(wireCursor, idNamespace);
  if (cursor === null) return null;
  return query.starting_after === undefined ? { endingBefore: cursor } : { startingAfter: cursor };
}
