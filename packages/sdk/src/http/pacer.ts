import type { Surroundings } from './surroundings.ts';

/**
 * Limiter of one call at a time, with a window between the end of one call and the start of the next. The service
 * counts from the arrival of a request, which precedes its response, so its limit is never reached.
 */
export class Pacer {
  readonly #windowMs: number;
  readonly #surroundings: Pick<Surroundings, 'monotonicMs' | 'sleep'>;
  #freeAtMs = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(windowMs: number, surroundings: Pick<Surroundings, 'monotonicMs' | 'sleep'>) {
    this.#windowMs = windowMs;
    this.#surroundings = surroundings;
  }

  /** Run a call when all earlier ones have ended and the window has passed. */
  async pass<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last;
    let leave = (): void => undefined;
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    try {
      await before;
      const waitMs = this.#freeAtMs - this.#surroundings.monotonicMs();
      if (waitMs > 0) await this.#surroundings.sleep(waitMs, signal);
      try {
        return await call();
      } finally {
        this.#freeAtMs = this.#surroundings.monotonicMs() + this.#windowMs;
      }
    } finally {
      leave();
    }
  }
}
