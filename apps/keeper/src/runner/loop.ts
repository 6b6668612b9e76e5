import { Fault } from '@core/errors';
import type { Clock } from '@core/runtime';
import { isDatabaseFault, type Lease, StaleLeaseError } from '@core/store';
import { isVenueFault } from '@core/venue';
import type { Logger } from 'pino';
import type { TaskHealth } from './health.ts';
import type { KeeperMetrics } from './keeperMetrics.ts';
import type { Lock, Task } from './task.ts';
import type { Wake } from './wake.ts';

export interface Loop {
  health(): readonly TaskHealth[];
  /** Lets running tasks, and what they left under way, end and starts no more. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly tasks: readonly Task[];
  /** The lease of a lock, or null while another keeper holds it. */
  readonly hold: (lock: Lock) => Promise<Lease | null>;
  /** False while this process should leave the work to another. */
  readonly isFit: () => boolean;
  readonly metrics: Pick<KeeperMetrics, 'taskSeconds' | 'taskFailures' | 'lastSuccess'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Runs every task again an interval after it ended, or when it is woken, so a task never overlaps itself. */
export function startLoop(options: LoopOptions): Loop {
  const { tasks } = options;
  const stopping = new AbortController();
  const lastSuccessMs = new Map(tasks.map(({ name }) => [name, performance.now()]));
  const running = tasks.map((task) => repeat(task));

  async function repeat(task: Task): Promise<void> {
    while (!stopping.signal.aborted) {
      const result = await runOnce(options, task);
      if (result === 'done' || result === 'elsewhere') {
        lastSuccessMs.set(task.name, performance.now());
      }
      // Only a task that ran listens: one that fails, or runs elsewhere, would be woken in a circle.
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
      await Promise.all(running);
      await Promise.all(tasks.flatMap((task) => (task.finish === undefined ? [] : [task.finish()])));
    },
  };
}

/** The one catch of the keeper: every failure of a task ends here, is classified and counted. */
async function runOnce(options: LoopOptions, task: Task): Promise<'done' | 'elsewhere' | 'unfit' | 'failed'> {
  const { hold, isFit, metrics, logger, clock } = options;
  if (!isFit()) return 'unfit';
  const endTimer = metrics.taskSeconds.startTimer({ task: task.name });
  try {
    const lease = await hold(task.lock);
    if (lease === null) {
      // The keeper that holds the lock has wakes of its own.
      task.wake?.take();
      return 'elsewhere';
    }
    await task.run(lease);
    // Another keeper may have the lock by now, and what was done here counts for nothing.
    if (lease.signal.aborted) {
      metrics.taskFailures.inc({ task: task.name, kind: 'lease_lost' });
      logger.warn({ task: task.name, lock: task.lock }, 'the lock was lost meanwhile');
      return 'failed';
    }
    metrics.lastSuccess.set({ task: task.name }, clock.nowMs() / 1_000);
    return 'done';
  } catch (error) {
    const kind = kindOf(error);
    metrics.taskFailures.inc({ task: task.name, kind });
    const level = kind === 'retryable' || kind === 'lease_lost' ? 'warn' : 'error';
    logger[level]({ err: error, task: task.name, kind }, 'task failed');
    return 'failed';
  } finally {
    endTimer();
  }
}

/** A failure without a class is a bug: it ends its task's round and is logged as an error. */
function kindOf(error: unknown): string {
  if (error instanceof AggregateError) {
    const kinds = error.errors.map(kindOf);
    return kinds.find((kind) => kind === 'lease_lost') ?? kinds.find((kind) => kind !== 'retryable') ?? 'retryable';
  }
  if (error instanceof StaleLeaseError) {
    return 'lease_lost';
  }
  if (error instanceof Fault || isVenueFault(error)) {
    return error.kind;
  }
  return isDatabaseFault(error) ? 'retryable' : 'bug';
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
