import type { Clock } from '@core/runtime';
import type { Store } from '@core/store';
import type { Logger } from 'pino';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';

/** Customer events are replayable for this long. */
const outboxLifetimeMs = 7 * 24 * 60 * 60 * 1_000;
/** Retention of a quote without a position: far beyond any block that could still carry it. */
const quoteLifetimeMs = 7 * 24 * 60 * 60 * 1_000;
/** Retention of ended intents after their position closed. */
const intentLifetimeMs = 30 * 24 * 60 * 60 * 1_000;
/** Rows of one statement: it holds its locks briefly, whatever has accumulated. */
const batchLength = 1_000;
/** Longest cleanup of one table: after days of accumulation it takes many batches. */
const longestRemovalMs = 600_000;
/** Headers retained below the finalised block: more than any reorganisation that is undone. */
const retainedBlocks = 1_000n;

export interface RemoveExpiredOptions {
  readonly store: Pick<
    Store,
    'drafts' | 'idempotency' | 'limits' | 'quotes' | 'usage' | 'intents' | 'outbox' | 'chain' | 'exits'
  >;
  readonly chainKey: string;
  /** Age from which forced sales are no longer measured. */
  readonly exitWindowMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
}

/**
 * Remove expired rows: drafts, idempotency keys, rate windows, unused quotes, empty counters, intents of positions long
 * closed, old events and headers.
 */
export function removeExpiredTask(options: RemoveExpiredOptions): Task {
  const { store, chainKey, exitWindowMs, clock, logger, metrics } = options;
  const cleaning = new IsolatedItems({ name: 'removeExpired', deadlineMs: longestRemovalMs, logger, metrics });
  return {
    name: 'removeExpired',
    lock: locks.cleaning,
    intervalMs: 60_000,
    async run() {
      const nowMs = clock.nowMs();
      const removals: readonly (readonly [table: string, remove: RemoveSome])[] = [
        ['drafts', (limit) => store.drafts.removeExpired(nowMs, limit)],
        ['idempotency', (limit) => store.idempotency.removeExpired(nowMs, limit)],
        ['limits', (limit) => store.limits.removeExpired(Date.now(), limit)],
        ['quotes', (limit) => store.quotes.removeReleased(nowMs - quoteLifetimeMs, limit)],
        ['usage', (limit) => store.usage.removeEmpty(limit)],
        ['intents', (limit) => store.intents.removeEnded(nowMs - intentLifetimeMs, limit)],
        ['outbox', (limit) => store.outbox.removeOlderThan(nowMs - outboxLifetimeMs, limit)],
        ['exits', (limit) => store.exits.removeOlderThan(nowMs - exitWindowMs, limit)],
        ['blocks', (limit) => removeBlocks(store.chain, chainKey, limit)],
      ];
      await cleaning.serve(
        removals,
        ([table]) => table,
        async ([, remove]) => {
          await inBatches(remove);
          return true;
        },
      );
    },
  };
}

/** Remove up to `limit` rows. Return their number. */
type RemoveSome = (limit: number) => Promise<number>;

async function inBatches(remove: RemoveSome): Promise<void> {
  while ((await remove(batchLength)) === batchLength);
}

async function removeBlocks(chain: Store['chain'], chainKey: string, limit: number): Promise<number> {
  const cursor = await chain.cursor(chainKey);
  if (cursor === null || cursor.finalizedNumber <= retainedBlocks) return 0;
  return chain.pruneBlocks({ chainKey, belowBlockNumber: cursor.finalizedNumber - retainedBlocks, limit });
}
