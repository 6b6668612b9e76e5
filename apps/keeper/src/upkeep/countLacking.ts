import type { PositionStore } from '@core/store';
import type { Logger } from 'pino';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';

/** Count the positions without a stored quote or market, which are followed nevertheless, and the frozen ones. */
export function countLackingTask(options: {
  readonly positions: Pick<PositionStore, 'lackingCounts'>;
  readonly metrics: Pick<KeeperMetrics, 'unknownQuotes' | 'unlistedPositions' | 'frozenPositions'>;
  readonly logger: Logger;
}): Task {
  const { positions, metrics, logger } = options;
  let logged = '';
  return {
    name: 'countLacking',
    lock: locks.index,
    intervalMs: 5_000,
    async run() {
      const { unquoted, unlisted, frozen } = await positions.lackingCounts();
      metrics.unknownQuotes.set(unquoted);
      metrics.unlistedPositions.set(unlisted);
      metrics.frozenPositions.set(frozen);
      const counted = `${unquoted}:${unlisted}`;
      if (counted === logged || (logged === '' && unquoted + unlisted === 0)) return;
      logged = counted;
      logger.warn({ unquoted, unlisted }, 'positions without a stored quote or a listed market');
    },
  };
}
