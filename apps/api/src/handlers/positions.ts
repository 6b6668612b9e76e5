import { reject } from '@core/errors';
import type { ListedPosition, PositionListQuery } from '@core/store';
import type { ListWire, PositionWire } from '@core/wire';
import type { Caller } from '../auth/caller.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { type Answer, answer, type Call, type Handler } from '../http/call.ts';
import { invalidRequest } from '../http/refusal.ts';
import { findOwnPosition } from '../observe/ownPosition.ts';
import { presentPosition } from '../present/presentPosition.ts';
import { presentTransactions } from '../present/presentTransactions.ts';
import { presentPlannedUnwinds, presentUnwinds } from '../present/presentUnwinds.ts';
import { storedIdOf } from '../present/wireId.ts';
import type { Service } from '../service.ts';

type User = Extract<Caller, { kind: 'user' }>;
type ListQuery = Call<'listPositions'>['query'];
type Narrowing = Pick<PositionListQuery, 'ticker' | 'eventTicker' | 'seriesTicker'>;

/** GET /positions: the positions of the token's wallet within its partner. */
export function listPositions(service: Service): Handler<'listPositions'> {
  return ({ caller, query, nowMs }) => {
    return pageOf(service, { caller, query, narrowing: {}, nowMs });
  };
}

/** GET /markets/{ticker}/positions. */
export function listMarketPositions(service: Service): Handler<'listMarketPositions'> {
  return async ({ caller, query, params, nowMs }) => {
    if (service.markets.byTicker(params.ticker) === null) return reject('customer_market_not_found');
    // Path and query filter together: two tickers have no position in common.
    if (query.ticker !== undefined && query.ticker !== params.ticker) return answer(emptyPageOf(query));
    return pageOf(service, { caller, query, narrowing: { ticker: params.ticker }, nowMs });
  };
}

/** GET /events/{event_ticker}/positions. */
export function listEventPositions(service: Service): Handler<'listEventPositions'> {
  return async ({ caller, query, params, nowMs }) => {
    if (!service.markets.hasEvent(params.event_ticker)) return reject('customer_event_not_found');
    return pageOf(service, { caller, query, narrowing: { eventTicker: params.event_ticker }, nowMs });
  };
}

/** GET /series/{series_ticker}/positions. */
export function listSeriesPositions(service: Service): Handler<'listSeriesPositions'> {
  return async ({ caller, query, params, nowMs }) => {
    if (!service.markets.hasSeries(params.series_ticker)) return reject('customer_series_not_found');
    return pageOf(service, { caller, query, narrowing: { seriesTicker: params.series_ticker }, nowMs });
  };
}

/** GET /positions/{position_id}. */
export function getPosition(service: Service): Handler<'getPosition'> {
  return async ({ caller, params, query, nowMs }) => {
    const position = await findOwnPosition(service, caller, params.position_id);
    if (position === null) return reject('customer_position_not_found');
    return answer(await present(service, position, { nowMs, expand: query.expand ?? [] }));
  };
}

/** GET /positions/{position_id}/transactions: final ones only. */
export function getPositionTransactions(service: Service): Handler<'getPositionTransactions'> {
  return async ({ caller, params }) => {
    const position = await findOwnPosition(service, caller, params.position_id);
    if (position === null) return reject('customer_position_transactions_not_found');
    return answer(presentTransactions(await service.store.positions.transactions(position.positionKey)));
  };
}

async function pageOf(
  service: Service,
  list: { caller: User; query: ListQuery; narrowing: Narrowing; nowMs: number },
): Promise<Answer<'listPositions'>> {
  const { caller, query, narrowing, nowMs } = list;
  const expand: readonly string[] = query.expand ?? [];
  const cursors = cursorsOf(query, service.config.idNamespace);
  if (cursors === null) return invalidRequest('cursor: names no position of this wallet');
  const tokenId = query.token_id ?? query.venue_token_id;
  const page = await service.store.positions.list({
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
  if (page.kind === 'unknown_cursor') return invalidRequest('cursor: names no position of this wallet');
  const data = await Promise.all(page.data.map((position) => present(service, position, { nowMs, expand })));
  const body: ListWire<PositionWire> = { data, has_more: page.hasMore };
  if (page.totalCount !== null) body.total_count = page.totalCount;
  return answer(body);
}

function emptyPageOf(query: ListQuery): ListWire<PositionWire> {
  return { data: [], has_more: false, ...(query.expand?.includes('total_count') === true && { total_count: 0 }) };
}

/** Cursors as the database knows them; null when one carries another environment's lead-in. */
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

async function present(
  service: Service,
  position: ListedPosition,
  { nowMs, expand }: { readonly nowMs: number; readonly expand: readonly string[] },
): Promise<PositionWire> {
  const market = service.markets.byId(position.marketId);
  const wire = presentPosition({ position, market, nowMs, idNamespace: service.config.idNamespace });
  const unwinds = expand.includes('unwinds') ? await service.store.positions.unwinds(position.positionKey) : null;
  const ladder = expand.includes('planned_unwinds') ? presentPlannedUnwinds(position) : null;
  return {
    ...wire,
    ...(unwinds !== null && { unwinds: presentUnwinds(position, unwinds) }),
    ...(ladder !== null && { planned_unwinds: ladder }),
  };
}
