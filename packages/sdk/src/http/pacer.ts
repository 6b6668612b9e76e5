import type { Surroundings } from './surroundings.ts';

/**
 * Lets one call through at a time and the next only when a window has passed since the last was answered. The service
 * counts from the arrival of a request, which lies before its answer: so the limit is waited for and not met.
 */
export class Pacer {
  readonly #windowMs: number;
  readonly #surroundings: Pick<Surroundings, 'nowMs' | 'sleep'>;
  #freeAtMs = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(windowMs: number, surroundings: Pick<Surroundings, 'nowMs' | 'sleep'>) {
    this.#windowMs = windowMs;
    this.#surroundings = surroundings;
  }

  /** Runs a call when those before it have ended and the window has passed. */
  async pass<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last;
    let leave = (): void => undefined;
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    try {
      await before;
      const waitMs = this.#freeAtMs - this.#surroundings.nowMs();
      if (waitMs > 0) await this.#surroundings.sleep(waitMs, signal);
      try {
        return await call();
      } finally {
        this.#freeAtMs = this.#surroundings.nowMs() + this.#windowMs;
      }
    } finally {
      leave();
    }
  }
}
