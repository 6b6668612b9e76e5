import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from '@core/position';
import { type OutboxRecord, payloadOf, type Store } from '@core/store';

/**
 * All events written about a position, in the order in which they are delivered. Events behind a transaction that still
 * runs are not readable yet: they are waited for.
 */
async function eventsOf(store: Store, positionId: string): Promise<readonly OutboxRecord[]> {
  for (;;) {
    const { records, isMoreComing } = await store.outbox.settledAfter({ transactionId: 0n, sequence: 0n }, 10_000);
    if (!isMoreComing) return records.filter((record) => record.positionId === positionId);
    await delay(20);
  }
}

/** Types of the events that name what happened. Whether a step between two of them shows depends on the ranges read. */
export async function namedTypesOf(store: Store, positionId: string): Promise<readonly string[]> {
  return (await eventsOf(store, positionId)).map(({ type }) => type).filter((type) => type !== 'position.updated');
}

/** Return the codes of the notifications about a position, in the order of their delivery. */
export async function notifiedCodesOf(store: Store, positionId: string): Promise<readonly string[]> {
  const events = await eventsOf(store, positionId);
  return events.flatMap((record) => (record.type === 'notification' ? [payloadOf(record).code] : []));
}

/** Return the statuses that the events of a position carry, each once in a row. */
export async function announcedStatusesOf(store: Store, positionId: string): Promise<readonly string[]> {
  const events = await eventsOf(store, positionId);
  const statuses = events.flatMap(({ payload }) =>
    payload !== null && 'position' in payload ? [payload.position.status] : [],
  );
  return statuses.filter((status, index) => status !== statuses[index - 1]);
}

/** Return the position that its last event carries. */
export async function lastAnnouncedOf(store: Store, positionId: string): Promise<Position | undefined> {
  const events = await eventsOf(store, positionId);
  return events.flatMap(({ payload }) => (payload !== null && 'position' in payload ? [payload.position] : [])).at(-1);
}
