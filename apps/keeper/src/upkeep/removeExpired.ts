import type { Clock } from '@core/runtime';
import type { Store } from '@core/store';
import { locks, type Task } from '../runner/task.ts';

/** Customer events are replayable for this long. */
const outboxLifetimeMs = 7 * 24 * 60 * 60 * 1_000;
/** A quote that no position came of: long past any block that could still carry it. */
const quoteLifetimeMs = 7 * 24 * 60 * 60 * 1_000;
/** Effects that ended, after their position closed: long enough to explain them to who asks. */
const intentLifetimeMs = 30 * 24 * 60 * 60 * 1_000;
/** Rows of one statement: none holds its locks for long, whatever has piled up. */
const batchLength = 1_000;
/** Headers kept below the finalised block: more than any reorganisation that is undone. */
const keptBlocks = 1_000n;

/**
 * Forgets what has run out: drafts, idempotency keys, rate windows, quotes that came to nothing, counters that count
 * nothing, effects of positions long closed, old events, old headers.
 */
export function removeExpiredTask(options: {
  readonly store: Pick<
    Store,
    'drafts' | 'idempotency' | 'limits' | 'quotes' | 'usage' | 'intents' | 'outbox' | 'chain' | 'exits'
  >;
  readonly chainKey: string;
  /** Forced sales older than this are measured no more. */
  readonly exitWindowMs: number;
  readonly clock: Clock;
}): Task {
  const { store, chainKey, exitWindowMs, clock } = options;
  return {
    name: 'removeExpired',
    lock: locks.cleaning,
    intervalMs: 60_000,
    async run() {
      const nowMs = clock.nowMs();
      await inBatches((limit) => store.drafts.removeExpired(nowMs, limit));
      await inBatches((limit) => store.idempotency.removeExpired(nowMs, limit));
      await inBatches((limit) => store.limits.removeExpired(Date.now(), limit));
      await inBatches((limit) => store.quotes.removeReleased(nowMs - quoteLifetimeMs, limit));
      await inBatches((limit) => store.usage.removeEmpty(limit));
      await inBatches((limit) => store.intents.removeEnded(nowMs - intentLifetimeMs, limit));
      await inBatches((limit) => store.outbox.removeOlderThan(nowMs - outboxLifetimeMs, limit));
      await inBatches((limit) => store.exits.removeOlderThan(nowMs - exitWindowMs, limit));
      const cursor = await store.chain.cursor(chainKey);
      if (cursor !== null && cursor.finalizedNumber > keptBlocks) {
        const belowBlockNumber = cursor.finalizedNumber - keptBlocks;
        await inBatches((limit) => store.chain.pruneBlocks({ chainKey, belowBlockNumber, limit }));
      }
    },
  };
}

async function inBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  while ((await remove(batchLength)) === batchLength);
}
