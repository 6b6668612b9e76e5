import { isShownChange, type Position, type PositionHistory } from '@core/position';
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
}

interface Unit {
  readonly positions: Pick<PositionStore, 'byKeys' | 'put' | 'remove'>;
  readonly outbox: Pick<OutboxStore, 'append'>;
}

/**
 * Replace positions, each of another key, and write their events. Whatever the events leave out, because no type names
 * it or because the chain went back, is announced by a last `position.updated`: what the last event of a position
 * carries is always what is stored.
 */
export async function putAnnounced(
  { positions, outbox }: Unit,
  announcements: readonly AnnouncedPosition[],
  nowMs: number,
): Promise<void> {
  if (announcements.length === 0) return;
  const before = await byKeyOf(
    positions,
    announcements.map(({ history }) => history.position.positionKey),
  );
  await positions.put(...announcements.map(({ history }) => history));
  // A position of an unknown quote has no owner among our partners: no event is written.
  const owned = announcements.filter(({ history }) => history.position.partnerId !== null);
  const written = new Set(await outbox.append(owned.flatMap(({ entries }) => entries)));
  const last = owned.flatMap(({ history: { position }, market, entries, also }) => {
    if (also !== undefined) return [positionEntryOf({ type: also, position, market, nowMs })];
    const announced = entries.flatMap(({ id, payload }) =>
      written.has(id) && 'position' in payload ? [payload.position] : [],
    );
    const visible = announced.at(-1) ?? before.get(position.positionKey) ?? null;
    const isAnnounced = visible !== null && !isShownChange(visible, position);
    return isAnnounced ? [] : [positionEntryOf({ type: 'position.updated', position, market, nowMs })];
  });
  await outbox.append(last);
}

/** Remove positions that the chain forgot, and ask their owners to read the positions again. */
export async function removeAnnounced(
  { positions, outbox }: Unit,
  positionKeys: readonly string[],
  nowMs: number,
): Promise<void> {
  if (positionKeys.length === 0) return;
  const before = await byKeyOf(positions, positionKeys);
  await positions.remove(...positionKeys);
  const owned = [...before.values()].filter(({ partnerId }) => partnerId !== null);
  await outbox.append(
    owned.map((position) => positionEntryOf({ type: 'position.removed', position, market: null, nowMs })),
  );
}

async function byKeyOf(
  positions: Unit['positions'],
  positionKeys: readonly string[],
): Promise<ReadonlyMap<string, Position>> {
  const records = await positions.byKeys(positionKeys);
  return new Map(records.map((record) => [record.positionKey, record]));
}
