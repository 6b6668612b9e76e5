import type { Clock } from '@core/runtime';
import type { UsageStore } from '@core/store';
import type { Logger } from 'pino';
import { locks, type Task } from '../runner/task.ts';

const batchSize = 500;

/**
 * Gives back what quotes reserved and no user claimed in time. Each reservation is released once, whichever process
 * does it.
 */
export function releaseReservationsTask(options: {
  readonly usage: Pick<UsageStore, 'releaseExpired'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): Task {
  const { usage, clock, logger } = options;
  return {
    name: 'releaseReservations',
    lock: locks.cleaning,
    intervalMs: 1_000,
    async run() {
      const released = await usage.releaseExpired(clock.nowMs(), batchSize);
      if (released.length > 0) {
        logger.debug({ count: released.length }, 'reservations released');
      }
    },
  };
}
