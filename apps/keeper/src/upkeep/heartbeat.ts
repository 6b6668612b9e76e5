import { type Clock, type KeeperReport, keeperHeartbeatOf } from '@core/runtime';
import type { HeartbeatStore } from '@core/store';
import { isHealthy, type TaskHealth } from '../runner/health.ts';
import { locks, type Task } from '../runner/task.ts';

/** Tasks without which an opening would be left alone, or a debt. */
const vital: ReadonlySet<string> = new Set(['indexChain', 'advancePositions', 'advanceDue']);

/**
 * Says that this keeper is alive, and which shares of the markets it looks after. It keeps quiet while one of the vital
 * tasks is failing: a process that reports itself but does nothing would let users open positions that no keeper looks
 * after.
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
