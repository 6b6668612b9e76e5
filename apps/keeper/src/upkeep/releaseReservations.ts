import type { Clock } from '@core/runtime';
import type { UsageStore } from '@core/store';
import type { Logger } from 'pino';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';

const batchSize = 500;
/** Released concurrently: each uses a database connection. */
const maxReleasing = 2;

/**
 * Release the reservations of expired quotes, each once, by any process, and each by itself: one that cannot be
 * released occupies its own limits alone.
 */
export function releaseReservationsTask(options: {
  readonly usage: Pick<UsageStore, 'dueReservations' | 'releaseReservation'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
}): Task {
  const { usage, clock, logger, metrics } = options;
  const releasing = new IsolatedItems({ name: 'releaseReservations', atOnce: maxReleasing, logger, metrics });
  return {
    name: 'releaseReservations',
    lock: locks.cleaning,
    intervalMs: 1_000,
    async run() {
      const nowMs = clock.nowMs();
      const due = await usage.dueReservations({ nowMs, except: releasing.waiting, limit: batchSize });
      await releasing.serve(
        due,
        (positionKey) => positionKey,
        async (positionKey) => {
          await usage.releaseReservation(positionKey, nowMs);
          return true;
        },
      );
      if (due.length > 0) logger.debug({ count: due.length }, 'reservations released');
    },
  };
}
