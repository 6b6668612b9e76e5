import { setTimeout as sleep } from 'node:timers/promises';
import type { EventPlace, OutboxRecord, OutboxStore } from '../src/outbox/outbox.ts';

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
