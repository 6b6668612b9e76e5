import { unresolvedAfterMs } from '@core/position';
import type { Clock } from '@core/runtime';
import type { MarketStore } from '@core/store';
import { locks, type Task } from '../runner/task.ts';

const batchSize = 100;

/** Writes the events that say that a market's oracle owes an answer: nothing on chain or at the venue says so. */
export function announceUnresolvedTask(options: {
  readonly markets: Pick<MarketStore, 'announceUnresolved'>;
  readonly clock: Clock;
}): Task {
  const { markets, clock } = options;
  return {
    name: 'announceUnresolved',
    lock: locks.catalogue,
    intervalMs: 10_000,
    async run() {
      const nowMs = clock.nowMs();
      const query = { closedBeforeMs: nowMs - unresolvedAfterMs, nowMs, limit: batchSize };
      while ((await markets.announceUnresolved(query)) === batchSize);
    },
  };
}
