import { reject } from '@core/errors';
import type { PositionPartialClose } from '@core/position';
import type { PositionStore } from '@core/store';
import { answer, type Handler, invalidRequest, isExpanded } from '../http/call.ts';
import { pageOf, presentList } from '../http/listPage.ts';
import type { FindOwnPosition } from './observePositions.ts';
import {
  maxUnwinds,
  presentPartialClose,
  presentPlannedUnwinds,
  presentTransactions,
  presentUnwinds,
} from './presentHistory.ts';

interface HistorySource<Read extends keyof PositionStore> {
  readonly findOwn: FindOwnPosition;
  readonly positions: Pick<PositionStore, Read>;
}

/** GET /positions/{position_id}/transactions: final ones only. */
export function getPositionTransactions(source: HistorySource<'transactions'>): Handler<'getPositionTransactions'> {
  return async ({ caller, params }) => {
    const position = await source.findOwn(caller, params.position_id);
    if (position === null) return reject('customer_position_transactions_not_found');
    return answer(presentTransactions(await source.positions.transactions(position.positionKey)));
  };
}

/** GET /positions/{position_id}/partial-closes: executed ones that are final on chain, in order of time. */
export function listPartialCloses(source: HistorySource<'partialCloses'>): Handler<'listPartialCloses'> {
  return async ({ caller, params, query }) => {
    const position = await source.findOwn(caller, params.position_id);
    if (position === null) return reject('customer_position_not_found');
    const executed = await source.positions.partialCloses(position.positionKey);
    const after = cursorOf(executed, query.starting_after);
    const before = cursorOf(executed, query.ending_before);
    if (after === 'unknown' || before === 'unknown') {
      return invalidRequest(after === 'unknown' ? 'starting_after' : 'ending_before', 'names no partial close');
    }
    const page = pageOf(executed, {
      limit: query.limit,
      isAfterStart: after === null ? null : ({ sequence }) => sequence > after.sequence,
      isBeforeEnd: before === null ? null : ({ sequence }) => sequence < before.sequence,
    });
    const totalCount = isExpanded(query, 'total_count') ? executed.length : null;
    return answer(presentList({ data: page.data.map(presentPartialClose), hasMore: page.hasMore, totalCount }));
  };
}

/** The partial close a cursor names by its `executed_at`: a position ends at most one sale in a block. */
function cursorOf(
  executed: readonly PositionPartialClose[],
  cursor: string | undefined,
): PositionPartialClose | null | 'unknown' {
  if (cursor === undefined) return null;
  const atMs = Date.parse(cursor);
  return executed.find(({ executedAtMs }) => executedAtMs === atMs) ?? 'unknown';
}

/**
 * The deprecated GET /positions/{position_id}/unwinds: the `unwinds` expansion, with ladder rows last when asked for.
 */
export function listUnwinds(source: HistorySource<'unwinds'>): Handler<'listUnwinds'> {
  return async ({ caller, params, query }) => {
    const position = await source.findOwn(caller, params.position_id);
    if (position === null) return reject('customer_position_not_found');
    const executed = await source.positions.unwinds(position.positionKey);
    const planned = query.status === 'executed' ? null : presentPlannedUnwinds(position, executed);
    const unwinds = presentUnwinds(position, query.status === 'planned' ? [] : executed);
    // Executed rows are cut at the maximum of an answer, so ladder rows only follow where all of them fit.
    const ladder = unwinds.has_more ? [] : (planned?.data ?? []);
    const data = [...unwinds.data, ...ladder];
    const isCut = unwinds.has_more || (planned?.has_more ?? false) || data.length > maxUnwinds;
    return answer({ ...unwinds, data: data.slice(0, maxUnwinds), has_more: isCut });
  };
}
