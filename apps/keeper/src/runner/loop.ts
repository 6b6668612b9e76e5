import { awaitEnds, type Clock } from '@core/runtime';
import type { Lease } from '@core/store';
import type { Logger } from 'pino';
import { failureKindOf } from './failureKind.ts';
import type { TaskHealth } from './health.ts';
import type { KeeperMetrics } from './keeperMetrics.ts';
import type { Lock, Task } from './task.ts';
import type { Wake } from './wake.ts';

export interface Loop {
  health(): readonly TaskHealth[];
  /**
   * Let running tasks and their remaining work end, and start no more.
   * @throws Error that names the tasks which have not ended in time.
   */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly tasks: readonly Task[];
  /** Return the lease of a lock, or null while another keeper holds it. */
  readonly hold: (lock: Lock) => Promise<Lease | null>;
  /** False while this process must leave the work to another. */
  readonly isFit: () => boolean;
  readonly metrics: Pick<KeeperMetrics, 'taskSeconds' | 'taskFailures' | 'lastSuccess'>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Time for running tasks to end; 20 s when absent. */
  readonly stopLimitMs?: number;
}

/** Below the time in which the process must end. */
const defaultStopLimitMs = 20_000;

/** Run every task repeatedly, an interval after its end or when it is woken, so that no task overlaps itself. */
export function startLoop(options: LoopOptions): Loop {
  const { tasks, stopLimitMs = defaultStopLimitMs } = options;
  const stopping = new AbortController();
  const lastSuccessMs = new Map(tasks.map(({ name }) => [name, performance.now()]));
  const running = tasks.map((task) => repeat(task));

  async function repeat(task: Task): Promise<void> {
    while (!stopping.signal.aborted) {
      const result = await runOnce(options, task);
      if (result === 'done' || result === 'elsewhere') {
        lastSuccessMs.set(task.name, performance.now());
      }
      // Only a task that ran listens: a failing task, or one that runs elsewhere, would be woken in a loop.
      await pause(task.intervalMs, stopping.signal, result === 'done' ? task.wake : undefined);
    }
  }

  return {
    health: () =>
      tasks.map(({ name, intervalMs }) => ({
        name,
        intervalMs,
        silenceMs: performance.now() - (lastSuccessMs.get(name) ?? 0),
      })),
    stop: async () => {
      stopping.abort();
      const ended = Promise.all(running);
      const endOf = async (task: Task, index: number): Promise<void> => {
        await running[index];
        if (task.finish === undefined) return;
        await ended;
        await task.finish();
      };
      await awaitEnds(
        tasks.map((task, index) => [task.name, endOf(task, index)]),
        stopLimitMs,
      );
    },
  };
}

/** Run a task once. Every failure of a task ends here, is classified and counted. */
async function runOnce(options: LoopOptions, task: Task): Promise<'done' | 'elsewhere' | 'unfit' | 'failed'> {
  const { hold, isFit, metrics, logger, clock } = options;
  if (!isFit()) return 'unfit';
  const endTimer = metrics.taskSeconds.startTimer({ task: task.name });
  try {
    const lease = await hold(task.lock);
    if (lease === null) {
      // The keeper with the lock has its own wakes.
      task.wake?.take();
      return 'elsewhere';
    }
    await task.run(lease);
    // Another keeper may have the lock by now, so that this run is void.
    if (lease.signal.aborted) {
      metrics.taskFailures.inc({ task: task.name, kind: 'lease_lost' });
      logger.warn({ task: task.name, lock: task.lock }, 'lock lost during the run');
      return 'failed';
    }
    metrics.lastSuccess.set({ task: task.name }, clock.nowMs() / 1_000);
    return 'done';
  } catch (error) {
    const kind = failureKindOf(error);
    metrics.taskFailures.inc({ task: task.name, kind });
    const level = kind === 'retryable' || kind === 'lease_lost' ? 'warn' : 'error';
    logger[level]({ err: error, task: task.name, kind }, 'task failed');
    return 'failed';
  } finally {
    endTimer();
  }
}

function pause(intervalMs: number, signal: AbortSignal, wake: Wake | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      wake?.listen(null);
      resolve();
    };
    const timer = setTimeout(end, intervalMs);
    if (signal.aborted) {
      end();
    } else {
      signal.addEventListener('abort', end);
      wake?.listen(end);
    }
  });
}
