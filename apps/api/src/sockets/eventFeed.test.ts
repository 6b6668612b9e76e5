import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutboxRecord, OutboxStore, RunningWriter } from '@core/store';
import { afterEach, describe, expect, test } from 'vitest';
import { EventFeed } from './eventFeed.ts';

const recordOf = (sequence: bigint): OutboxRecord => ({
  id: `evt_${sequence}`,
  type: 'position.opened',
  partnerId: 'ptn_1',
  walletAddress: '0x1',
  positionId: null,
  marketId: null,
  payload: null,
  createdAtMs: 0,
  transactionId: 1n,
  sequence,
});

type SettledEvents = Awaited<ReturnType<OutboxStore['settledAfter']>>;

let feed: EventFeed | null = null;
afterEach(async () => {
  await feed?.stop();
  feed = null;
});

/** Start a feed over what `read` answers, with what it reports. */
async function follow(read: () => SettledEvents, onEvent: (record: OutboxRecord) => Promise<void> | void) {
  const observed = { readCount: 0, poison: [] as string[], failures: [] as unknown[], wake: (): void => undefined };
  const writer: RunningWriter | null = null;
  feed = new EventFeed({
    outbox: {
      settledPlace: () => Promise.resolve({ transactionId: 0n, sequence: 0n }),
      settledAfter: () => {
        observed.readCount += 1;
        return Promise.resolve(read());
      },
      subscribe: (wake) => {
        observed.wake = wake;
        return Promise.resolve({ close: () => Promise.resolve() });
      },
      oldestWriter: () => Promise.resolve(writer),
    },
    onEvent,
    onFailure: (cause) => observed.failures.push(cause),
    onPoison: ({ id }) => observed.poison.push(id),
    onHeldUp: () => undefined,
  });
  await feed.start();
  return observed;
}

describe('a poison event', () => {
  test.each([0, 4, 9])(
    'at place %d of ten throws: the other nine are handed on by the same read, in order',
    async (bad) => {
      const records = Array.from({ length: 10 }, (_, index) => recordOf(BigInt(index + 1)));
      const handed: string[] = [];
      let isRead = false;
      const observed = await follow(
        () => {
          if (isRead) return { records: [], isMoreComing: false };
          isRead = true;
          return { records, isMoreComing: false };
        },
        async (record) => {
          await Promise.resolve();
          if (record === records[bad]) throw new Error('cannot be presented');
          handed.push(record.id);
        },
      );
      await expect.poll(() => handed).toHaveLength(9);
      expect(handed).toEqual(records.filter((_, index) => index !== bad).map(({ id }) => id));
      expect([observed.poison, observed.failures]).toEqual([[records[bad]?.id], []]);
      expect(feed?.place.sequence).toBe(10n);
    },
  );
});

describe('events that wait for a running transaction', () => {
  test('the feed is woken all the time: it reads a few times a second, and says for how long it waits', async () => {
    const observed = await follow(
      () => ({ records: [], isMoreComing: true }),
      () => undefined,
    );
    for (let round = 0; round < 2_000; round += 1) {
      observed.wake();
      await nextTurn();
    }
    expect(observed.readCount).toBeGreaterThan(0);
    expect(observed.readCount).toBeLessThan(30);
    expect(feed?.waitingMs).toBeGreaterThan(0);
  });

  test('the transaction ends: what waited is handed on, and the feed waits no more', async () => {
    let isRunning = true;
    const handed: string[] = [];
    await follow(
      () => {
        if (isRunning || handed.length > 0) return { records: [], isMoreComing: isRunning };
        return { records: [recordOf(1n)], isMoreComing: false };
      },
      ({ id }) => {
        handed.push(id);
      },
    );
    await expect.poll(() => feed?.waitingMs).toBeGreaterThan(0);
    isRunning = false;
    await expect.poll(() => handed).toEqual(['evt_1']);
    await expect.poll(() => feed?.waitingMs).toBe(0);
  });
});
