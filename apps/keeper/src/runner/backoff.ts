export interface BackoffOptions {
  /** First pause of a subject; it doubles with every further one. */
  readonly firstMs: number;
  readonly longestMs: number;
}

interface Postponed {
  readonly pauseMs: number;
  readonly endsAtMs: number;
}

/**
 * Subjects that came to nothing are looked at again after a pause of their own, so that they cost less and less and
 * delay no other. Nothing depends on it: a process that starts with none looks once more. Times are those of the
 * process's own monotonic clock.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #postponed = new Map<string, Postponed>();

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Subjects whose pause is not over. One that has not been postponed again for a while after it starts anew. */
  waiting(nowMs: number): readonly string[] {
    const waiting: string[] = [];
    for (const [subject, { endsAtMs }] of this.#postponed) {
      if (nowMs < endsAtMs) waiting.push(subject);
      else if (nowMs - endsAtMs > this.#options.longestMs) this.#postponed.delete(subject);
    }
    return waiting;
  }

  postpone(subject: string, nowMs: number): void {
    const { firstMs, longestMs } = this.#options;
    const before = this.#postponed.get(subject);
    const pauseMs = before === undefined ? firstMs : Math.min(longestMs, 2 * before.pauseMs);
    this.#postponed.set(subject, { pauseMs, endsAtMs: nowMs + pauseMs });
  }

  forget(subject: string): void {
    this.#postponed.delete(subject);
  }
}
