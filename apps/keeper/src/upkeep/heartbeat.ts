import { type Clock, type KeeperReport, keeperHeartbeatOf } from '@core/runtime';
import type { HeartbeatStore } from '@core/store';
import { isHealthy, type TaskHealth } from '../runner/health.ts';
import { locks, type Task } from '../runner/task.ts';

/** Tasks without which an opening or a debt would be neglected. */
const vital: ReadonlySet<string> = new Set(['indexChain', 'advancePositions', 'advanceDue']);

/**
 * Report that this keeper is alive, with its market shares. Nothing is reported while a vital task is failing: users
 * would otherwise open positions that no keeper follows.
 */
export function heartbeatTask(options: {
  readonly heartbeats: Pick<HeartbeatStore, 'report'>;
  /** State of this keeper that quotes depend on. */
  readonly report: () => KeeperReport;
  readonly clock: Clock;
  readonly health: () => readonly TaskHealth[];
}): Task {
  const { heartbeats, report, clock, health } = options;
  return {
    name: 'heartbeat',
    lock: locks.signer,
    intervalMs: 1_000,
    async run() {
      const tasks = health().filter(({ name }) => vital.has(name));
      if (tasks.every(isHealthy)) {
        const detail = report();
        const name = keeperHeartbeatOf(detail.address);
        await heartbeats.report({ name, nowMs: clock.nowMs(), succeeded: true, detail });
      }
    },
  };
}
