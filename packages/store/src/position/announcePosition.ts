import { isShownChange, type Position, type PositionHistory } from '@core/position';
import type { EventMarket, OutboxEntry, OutboxStore } from '../outbox/outbox.ts';
import { positionEntryOf } from './positionEntry.ts';
import type { PositionStore } from './positions.ts';

/** A position as it now is, and the events that say how it came there. */
export interface AnnouncedPosition {
  readonly history: PositionHistory;
  /** The market as it is in this transaction; null when it is not listed. */
  readonly market: EventMarket | null;
  /** Events that name what happened, in order; those that were written before are left out. */
  readonly entries: readonly OutboxEntry[];
  /** The type of an event that is written in any case, for a change beside the position's own record. */
  readonly also?: string;
  readonly nowMs: number;
}

interface Unit {
  readonly positions: Pick<PositionStore, 'byKey' | 'put' | 'remove'>;
  readonly outbox: Pick<OutboxStore, 'append'>;
}

/**
 * Replaces a position and writes its events. Whatever the events leave out, because no type names it or because the
 * chain went back, is announced by a last `position.updated`: what the last event carries is always what is stored.
 */
export async function putAnnounced(
  { positions, outbox }: Unit,
  { history, market, entries, also, nowMs }: AnnouncedPosition,
): Promise<void> {
  const { position } = history;
  const before = await positions.byKey(position.positionKey);
  await positions.put(history);
  // A position of an unknown quote has no owner among our partners: no event is written.
  if (position.partnerId === null) return;
  const written = new Set(await outbox.append(entries));
  if (also !== undefined) {
    await outbox.append([positionEntryOf({ type: also, position, market, nowMs })]);
    return;
  }
  const announced = entries.flatMap(({ id, payload }) =>
    written.has(id) && isOfPosition(payload) ? [payload.position] : [],
  );
  const last = announced.at(-1) ?? before;
  if (last === null || isShownChange(last, position)) {
    await outbox.append([positionEntryOf({ type: 'position.updated', position, market, nowMs })]);
  }
}

/** The chain forgot the position: its owner has to look again at what there is. */
export async function removeAnnounced({ positions, outbox }: Unit, positionKey: string, nowMs: number): Promise<void> {
  const before = await positions.byKey(positionKey);
  await positions.remove(positionKey);
  if (before === null || before.partnerId === null) return;
  await outbox.append([positionEntryOf({ type: 'position.removed', position: before, market: null, nowMs })]);
}

function isOfPosition(payload: unknown): payload is { readonly position: Position } {
  return typeof payload === 'object' && payload !== null && 'position' in payload;
}
