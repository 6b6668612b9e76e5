import type { Clock } from '@core/runtime';
import type { ExitSale } from '@core/store';

/** When a forced sale was called for: on the service clock, and on the process's own. */
interface Trigger {
  readonly dueAtMs: number;
  readonly startedAtMs: number;
}

export interface ExitTimerOptions {
  readonly clock: Clock;
  /** Monotonic milliseconds: moving the service clock makes no sale longer. */
  readonly now: () => number;
}

/** How long forced sales take, each from the look since which it has been called for without a break. */
export class ExitTimer {
  readonly #options: ExitTimerOptions;
  readonly #triggers = new Map<string, Trigger>();

  constructor(options: ExitTimerOptions) {
    this.#options = options;
  }

  /** Starts counting for a position, unless it is counted already. */
  start(positionKey: string): void {
    if (this.#triggers.has(positionKey)) return;
    const { clock, now } = this.#options;
    this.#triggers.set(positionKey, { dueAtMs: clock.nowMs(), startedAtMs: now() });
  }

  stop(positionKey: string): void {
    this.#triggers.delete(positionKey);
  }

  /** What a sale that is settled now took; null when none was called for. */
  measure(positionKey: string): Omit<ExitSale, 'category'> | null {
    const trigger = this.#triggers.get(positionKey);
    if (trigger === undefined) return null;
    const { dueAtMs, startedAtMs } = trigger;
    return { positionKey, dueAtMs, durationMs: this.#options.now() - startedAtMs };
  }

  /** What every sale that is called for has taken so far. */
  waiting(): readonly Pick<ExitSale, 'positionKey' | 'durationMs'>[] {
    const nowMs = this.#options.now();
    return [...this.#triggers].map(([positionKey, { startedAtMs }]) => {
      return { positionKey, durationMs: nowMs - startedAtMs };
    });
  }
}
