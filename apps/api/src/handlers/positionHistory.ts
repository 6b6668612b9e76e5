import { reject } from '@core/errors';
import type { PositionPartialCloseRecord } from '@core/store';
import type { ListWire, PartialCloseWire } from '@core/wire';
import { answer, type Handler } from '../http/call.ts';
import { invalidRequest } from '../http/refusal.ts';
import { findOwnPosition } from '../observe/ownPosition.ts';
import { presentPartialClose } from '../present/presentPartialClose.ts';
import { presentPlannedUnwinds, presentUnwinds } from '../present/presentUnwinds.ts';
import type { Service } from '../service.ts';
import { pageOf } from './pageOf.ts';

/** GET /positions/{position_id}/partial-closes: executed ones that are final on chain, in order of time. */
export function listPartialCloses(service: Service): Handler<'listPartialCloses'> {
  return async ({ caller, params, query }) => {
    const position = await findOwnPosition(service, caller, params.position_id);
    if (position === null) return reject('customer_position_not_found');
    const executed = await service.store.positions.partialCloses(position.positionKey);
    const after = cursorOf(executed, query.starting_after);
    const before = cursorOf(executed, query.ending_before);
    if (after === 'unknown' || before === 'unknown') {
      return invalidRequest(`${after === 'unknown' ? 'starting_after' : 'ending_before'}: names no partial close`);
    }
    const page = pageOf(executed, {
      limit: query.limit,
      isAfterStart: after === null ? null : ({ sequence }) => sequence > after.sequence,
      isBeforeEnd: before === null ? null : ({ sequence }) => sequence < before.sequence,
    });
    const body: ListWire<PartialCloseWire> = { data: page.data.map(presentPartialClose), has_more: page.hasMore };
    if (query.expand?.includes('total_count') === true) body.total_count = executed.length;
    return answer(body);
  };
}

/** The partial close a cursor names by its `executed_at`: a position ends at most one sale in a block. */
function cursorOf(
  executed: readonly PositionPartialCloseRecord[],
  cursor: string | undefined,
): PositionPartialCloseRecord | null | 'unknown' {
  if (cursor === undefined) return null;
  const atMs = Date.parse(cursor);
  return executed.find(({ executedAtMs }) => executedAtMs === atMs) ?? 'unknown';
}

/** The deprecated GET /positions/{position_id}/unwinds: the `unwinds` expansion, with ladder rows last when asked for. */
export function listUnwinds(service: Service): Handler<'listUnwinds'> {
  return async ({ caller, params, query }) => {
    const position = await findOwnPosition(service, caller, params.position_id);
    if (position === null) return reject('customer_position_not_found');
    const executed = query.status === 'planned' ? [] : await service.store.positions.unwinds(position.positionKey);
    const planned = query.status === 'executed' ? null : presentPlannedUnwinds(position);
    const unwinds = presentUnwinds(position, executed);
    // Executed rows are cut at the most an answer lists, so ladder rows only follow where all of them fit.
    const ladder = unwinds.has_more ? [] : (planned?.data ?? []);
    return answer({ ...unwinds, data: [...unwinds.data, ...ladder] });
  };
}
