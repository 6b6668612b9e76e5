import { unresolvedAfterMs } from '@core/position';
import type { Clock } from '@core/runtime';
import type { MarketStore } from '@core/store';
import type { Logger } from 'pino';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';

const batchSize = 100;

export interface AnnounceOptions {
  readonly markets: Pick<MarketStore, 'unannounced' | 'announceUnresolved'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
}

/** Write the events for markets whose oracle is overdue: neither the chain nor the venue reports that. */
export function announceUnresolvedTask({ markets, clock, logger, metrics }: AnnounceOptions): Task {
  const announcing = new IsolatedItems({ name: 'announceUnresolved', atOnce: 4, logger, metrics });
  return {
    name: 'announceUnresolved',
    lock: locks.catalogue,
    intervalMs: 10_000,
    async run() {
      const nowMs = clock.nowMs();
      for (;;) {
        const query = { closedBeforeMs: nowMs - unresolvedAfterMs, except: announcing.waiting, limit: batchSize };
        const ids = await markets.unannounced(query);
        await announcing.serve(
          ids,
          (id) => id,
          async (id) => {
            await markets.announceUnresolved(id, nowMs);
            return true;
          },
        );
        if (ids.length < batchSize) return;
      }
    },
  };
}
