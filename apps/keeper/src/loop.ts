import { Fault } from '@core/errors';
import { isVenueFault } from '@core/venue';
import type { Leases } from './effects/leases.ts';
import type { KeeperPorts } from './ports.ts';
import type { Task } from './tasks.ts';

/** How a task has been doing; health is decided from it. */
export interface TaskHealth {
  readonly name: string;
  readonly intervalMs: number;
  /** Milliseconds since the last run that succeeded or found its lock held elsewhere; since the start when none did. */
  readonly silenceMs: number;
}

/** A run may take a while (a slow chain, many positions): below this a silence means nothing. */
const toleratedSilenceMs = 15_000;

/** Silent for less than two intervals, or for a short time at all. */
export function isHealthy({ silenceMs, intervalMs }: TaskHealth): boolean {
  return silenceMs < Math.max(2 * intervalMs, toleratedSilenceMs);
}

export interface Loop {
  health(): readonly TaskHealth[];
  /** Lets running tasks end and starts no more. */
  stop(): Promise<void>;
}

/** Runs every task again an interval after it ended, so a task never overlaps itself. */
export function startLoop(ports: KeeperPorts, leases: Leases, tasks: readonly Task[]): Loop {
  const stopping = new AbortController();
  const lastSuccessMs = new Map(tasks.map(({ name }) => [name, performance.now()]));
  const running = tasks.map((task) => repeat(task));

  async function repeat(task: Task): Promise<void> {
    while (!stopping.signal.aborted) {
      const isDone = await runOnce(ports, leases, task);
      if (isDone) {
        lastSuccessMs.set(task.name, performance.now());
      }
      await pause(task.intervalMs, stopping.signal);
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
    },
  };
}

/** The one catch of the keeper: every failure of a task ends here, is told apart by its kind and counted. */
async function runOnce(ports: KeeperPorts, leases: Leases, task: Task): Promise<boolean> {
  const { metrics, logger, clock } = ports;
  const endTimer = metrics.taskSeconds.startTimer({ task: task.name });
  try {
    const lease = await leases.hold(task.lock);
    if (lease === null) {
      return true;
    }
    await task.run(ports, lease);
    metrics.lastSuccess.set({ task: task.name }, clock.nowMs() / 1_000);
    return true;
  } catch (error) {
    const kind = kindOf(error);
    metrics.taskFailures.inc({ task: task.name, kind });
    const level = kind === 'retryable' ? 'warn' : 'error';
    logger[level]({ err: error, task: task.name, kind }, 'task failed');
    return false;
  } finally {
    endTimer();
  }
}

/** A failure nobody classified is a bug: it stops its task's round and is told loudly. */
function kindOf(error: unknown): string {
  if (error instanceof AggregateError) {
    const kinds = error.errors.map(kindOf);
    return kinds.find((kind) => kind !== 'retryable') ?? 'retryable';
  }
  if (error instanceof Fault || isVenueFault(error)) {
    return error.kind;
  }
  return 'bug';
}

function pause(intervalMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, intervalMs);
    if (signal.aborted) {
      end();
    } else {
      signal.addEventListener('abort', end);
    }
  });
}
