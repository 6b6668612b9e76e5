import { isShownChange, type PositionHistory } from '@core/position';
import type { OutboxStore } from '../outbox/createOutbox.ts';
import type { EventMarket, OutboxEntry, PositionEventType } from '../outbox/outbox.ts';
import type { PositionStore } from './createPositions.ts';
import { positionEntryOf } from './positionEntry.ts';

/** A position as it now is, and the events that say how it came there. */
export interface AnnouncedPosition {
  readonly history: PositionHistory;
  /** The market as it is in this transaction; null when it is not listed. */
  readonly market: EventMarket | null;
  /** Events that name what happened, in order; those that were written before are left out. */
  readonly entries: readonly OutboxEntry[];
  /** The type of an event that is written in any case, for a change beside the position's own record. */
  readonly also?: PositionEventType;
  readonly nowMs: number;
}

interface Unit {
  readonly positions: Pick<PositionStore, 'byKey' | 'put' | 'remove'>;
  readonly outbox: Pick<OutboxStore, 'append'>;
}

/**
 * Replace a position and write its events. Whatever the events leave out, because no type names it or because the
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
    written.has(id) && 'position' in payload ? [payload.position] : [],
  );
  const last = announced.at(-1) ?? before;
  if (last === null || isShownChange(last, position)) {
    await outbox.append([positionEntryOf({ type: 'position.updated', position, market, nowMs })]);
  }
}

/** Remove a position that the chain forgot, and ask its owner to read the positions again. */
export async function removeAnnounced({ positions, outbox }: Unit, positionKey: string, nowMs: number): Promise<void> {
  const before = await positions.byKey(positionKey);
  await positions.remove(positionKey);
  if (before === null || before.partnerId === null) return;
  await outbox.append([positionEntryOf({ type: 'position.removed', position: before, market: null, nowMs })]);
}
