import { type Clock, type KeeperReport, keeperHeartbeat } from '@core/runtime';
import type { HeartbeatStore } from '@core/store';
import { isHealthy, type TaskHealth } from '../runner/health.ts';
import { locks, type Task } from '../runner/task.ts';

/** Tasks without which an opening would be left alone, or a debt. */
const vital: ReadonlySet<string> = new Set(['indexChain', 'advancePositions', 'advanceDue']);

/**
 * Says that the keeper which holds the effects is alive. It keeps quiet while one of the vital tasks is failing: a
 * process that reports itself but does nothing would let users open positions that no keeper looks after.
 */
export function heartbeatTask(options: {
  readonly heartbeats: Pick<HeartbeatStore, 'report'>;
  /** What quotes have to know of this keeper. */
  readonly report: () => KeeperReport;
  readonly clock: Clock;
  readonly health: () => readonly TaskHealth[];
}): Task {
  const { heartbeats, report, clock, health } = options;
  return {
    name: 'heartbeat',
    lock: locks.effects,
    intervalMs: 1_000,
    async run() {
      const tasks = health().filter(({ name }) => vital.has(name));
      if (tasks.every(isHealthy)) {
        await heartbeats.report({ name: keeperHeartbeat, nowMs: clock.nowMs(), succeeded: true, detail: report() });
      }
    },
  };
}
