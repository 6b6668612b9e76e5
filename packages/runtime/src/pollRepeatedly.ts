import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@core/errors';

export interface PollingOptions {
  readonly task: () => Promise<void>;
  /** Time between the end of one run and the start of the next. */
  readonly intervalMs: number;
  /** Time before the first run; 0 by default. */
  readonly firstDelayMs?: number;
  /**
   * Decide about a failed run. When it returns, the failure is dealt with and the next run comes an interval later, as
   * after any other run: what the task feeds grows old meanwhile, and its readers judge by age. When it throws, the
   * polling is over and the process ends, as after any promise that fails unheard.
   */
  readonly onFailure: (cause: unknown) => void;
}

export interface Polling {
  /** Start no more runs and wait for the current one. Rejects when that one ends the polling by a failure. */
  stop(): Promise<void>;
}

/**
 * Run a task at once, and again whenever the interval has passed since the end of its last run, until it is stopped.
 * Runs never overlap.
 */
export function pollRepeatedly(options: PollingOptions): Polling {
  const stopping = new AbortController();
  const running = repeat(options, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** The failure rule of tasks whose every expected failure is a Fault: those are reported, anything else is a bug. */
export function onlyFaults(report: (fault: Fault) => void): (cause: unknown) => void {
  return (cause) => {
    if (!(cause instanceof Fault)) throw cause;
    report(cause);
  };
}

async function repeat(options: PollingOptions, signal: AbortSignal): Promise<void> {
  const { task, intervalMs, firstDelayMs = 0, onFailure } = options;
  if (firstDelayMs > 0) await pause(firstDelayMs, signal);
  while (!signal.aborted) {
    try {
      await task();
    } catch (cause) {
      onFailure(cause);
    }
    await pause(intervalMs, signal);
  }
}

/** Pause; ends early, and without a failure, on the signal. */
async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(durationMs, undefined, { signal });
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
}
