import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '@core/position';
import type { OutboxStore } from '../src/outbox/createOutbox.ts';
import type { EventPlace, OutboxRecord } from '../src/outbox/outbox.ts';

const firstPlace: EventPlace = { transactionId: 0n, sequence: 0n };

/**
 * Every event behind a place, in order. It waits until all that has committed can be read: no transaction of the whole
 * server may still run that began before, and its other databases have some.
 */
export async function settledEvents(
  outbox: Pick<OutboxStore, 'settledAfter'>,
  after: EventPlace = firstPlace,
): Promise<readonly OutboxRecord[]> {
  for (;;) {
    const { records, isMoreComing } = await outbox.settledAfter(after, 10_000);
    if (!isMoreComing) return records;
    await sleep(5);
  }
}

/** Return the position that an event carries; null for the event of a market and for a notification. */
export function announcedPosition({ payload }: OutboxRecord): Position | null {
  return payload !== null && 'position' in payload ? payload.position : null;
}
