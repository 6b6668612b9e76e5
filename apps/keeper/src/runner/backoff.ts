export interface BackoffOptions {
  /** First pause of a subject; it doubles with every further one. */
  readonly firstMs: number;
  readonly longestMs: number;
}

interface Postponed {
  /** Times in a row that the subject was postponed. */
  readonly count: number;
  readonly pauseMs: number;
  readonly endsAtMs: number;
}

/**
 * Pauses of failing subjects, each on its own, so that a subject costs less and less and delays no other. A process
 * that starts without any retries once more. Times are those of the process's monotonic clock.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  /** Ordered by the last postponement, the oldest first. */
  readonly #postponed = new Map<string, Postponed>();

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Return the subjects whose pause is not over. */
  waiting(nowMs: number): readonly string[] {
    this.#forgetOldest(nowMs);
    return [...this.#postponed].flatMap(([subject, { endsAtMs }]) => (nowMs < endsAtMs ? [subject] : []));
  }

  /** Return the number of subjects that were postponed and neither forgotten nor long over. */
  count(nowMs: number): number {
    this.#forgetOldest(nowMs);
    return this.#postponed.size;
  }

  /** Return true for a subject that was postponed and not forgotten since. */
  has(subject: string): boolean {
    return this.#postponed.has(subject);
  }

  isWaiting(subject: string, nowMs: number): boolean {
    return this.remainingMs(subject, nowMs) > 0;
  }

  /** Return the rest of a subject's pause; 0 when it is over. */
  remainingMs(subject: string, nowMs: number): number {
    return Math.max(0, (this.#postponed.get(subject)?.endsAtMs ?? nowMs) - nowMs);
  }

  /** Return the number of subjects that were postponed at least so many times in a row, and not long ago. */
  countFrom(count: number, nowMs: number): number {
    this.#forgetOldest(nowMs);
    return [...this.#postponed.values()].filter((postponed) => postponed.count >= count).length;
  }

  /**
   * Start the next pause of a subject. The series restarts for a subject that was not postponed again within the
   * longest pause after its last one.
   * @param atLeastMs Minimum duration of this pause; later ones do not grow from it.
   * @returns Consecutive postponements of the subject.
   */
  postpone(subject: string, nowMs: number, atLeastMs = 0): number {
    const { firstMs, longestMs } = this.#options;
    this.#forgetOldest(nowMs);
    const before = this.#postponed.get(subject);
    const isFirst = before === undefined || this.#isOver(before, nowMs);
    const pauseMs = isFirst ? firstMs : Math.min(longestMs, 2 * before.pauseMs);
    const count = isFirst ? 1 : before.count + 1;
    this.#postponed.delete(subject);
    this.#postponed.set(subject, { count, pauseMs, endsAtMs: nowMs + Math.max(pauseMs, atLeastMs) });
    return count;
  }

  forget(subject: string): void {
    this.#postponed.delete(subject);
  }

  #isOver({ endsAtMs }: Postponed, nowMs: number): boolean {
    return nowMs - endsAtMs > this.#options.longestMs;
  }

  /** Remove old subjects in O(removed). A pause longer than others retains those postponed after it. */
  #forgetOldest(nowMs: number): void {
    for (const [subject, postponed] of this.#postponed) {
      if (!this.#isOver(postponed, nowMs)) return;
      this.#postponed.delete(subject);
    }
  }
}
