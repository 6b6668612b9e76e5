import type { Clock, KeeperReport } from '@core/runtime';
import type { Store } from '@core/store';
import type { Logger } from 'pino';
import type { TaskHealth } from '../runner/health.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import type { Task } from '../runner/task.ts';
import { countLackingTask } from './countLacking.ts';
import { heartbeatTask } from './heartbeat.ts';
import { releaseReservationsTask } from './releaseReservations.ts';
import { type RemoveExpiredOptions, removeExpiredTask } from './removeExpired.ts';

export interface UpkeepOptions extends RemoveExpiredOptions {
  readonly store: Pick<Store, 'heartbeats' | 'positions'> & RemoveExpiredOptions['store'];
  readonly report: () => KeeperReport;
  readonly health: () => readonly TaskHealth[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: KeeperMetrics;
}

/** Build the tasks that report this keeper and clean the store. */
export function upkeepTasks(options: UpkeepOptions): readonly Task[] {
  const { usage, positions, heartbeats } = options.store;
  return [
    releaseReservationsTask({ ...options, usage }),
    countLackingTask({ ...options, positions }),
    heartbeatTask({ ...options, heartbeats }),
    removeExpiredTask(options),
  ];
}
