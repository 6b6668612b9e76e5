/**
 * Queue of work that must not overlap: each item starts when the one before it has ended or failed. Waiting items are
 * ordered by rank, then by arrival.
 */
export class SerialQueue {
  readonly #waiting: { readonly rank: number; readonly start: () => Promise<void> }[] = [];
  #isRunning = false;

  run<Result>(work: () => Promise<Result>, { rank = 0 } = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      const nextIndex = this.#waiting.findIndex((other) => other.rank > rank);
      const index = nextIndex === -1 ? this.#waiting.length : nextIndex;
      this.#waiting.splice(index, 0, { rank, start: () => Promise.resolve().then(work).then(resolve, reject) });
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await next.start();
    this.#isRunning = false;
  }
}
