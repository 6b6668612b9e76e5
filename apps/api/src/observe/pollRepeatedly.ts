import { setTimeout as delay } from 'node:timers/promises';

/** A running repetition. */
export interface Repetition {
  /** Stops and waits for the turn under way. */
  stop(): Promise<void>;
}

/**
 * Runs `turn` again and again, each `intervalMs` after the last one ended. A turn that fails is reported and tried
 * again: what it feeds grows old meanwhile, and whoever reads it judges by age.
 */
export function pollRepeatedly(options: {
  readonly turn: () => Promise<void>;
  readonly intervalMs: number;
  readonly onFailure: (cause: unknown) => void;
}): Repetition {
  const ending = new AbortController();
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        await options.turn();
      } catch (cause) {
        options.onFailure(cause);
      }
      await sleep(options.intervalMs, ending.signal);
    }
  };
  const running = run();
  return {
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

async function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(durationMs, undefined, { signal });
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
}
