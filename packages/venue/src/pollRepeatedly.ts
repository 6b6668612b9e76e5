import { setTimeout as delay } from 'node:timers/promises';

export interface Polling {
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/**
 * Runs a task at once and then again each time the interval has passed since it ended, until the signal. Never overlaps
 * itself. A task that throws ends the process: it must handle the faults it expects.
 */
export async function pollRepeatedly(polling: Polling, task: () => Promise<void>): Promise<void> {
  while (!polling.signal.aborted) {
    await task();
    try {
      await delay(polling.intervalMs, undefined, { signal: polling.signal });
    } catch (error) {
      if (!isAbort(error)) {
        throw error;
      }
    }
  }
}
