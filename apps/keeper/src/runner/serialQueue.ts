/**
 * Pieces of work that must not overlap: each starts when the one before it has ended, also when that one failed. Of
 * those that have not started the lowest rank comes first, and first come first of one rank.
 */
export class SerialQueue {
  readonly #waiting: { readonly rank: number; readonly start: () => Promise<void> }[] = [];
  #isRunning = false;

  run<Result>(work: () => Promise<Result>, { rank = 0 } = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      const later = this.#waiting.findIndex((other) => other.rank > rank);
      const place = later === -1 ? this.#waiting.length : later;
      this.#waiting.splice(place, 0, { rank, start: () => Promise.resolve().then(work).then(resolve, reject) });
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await next.start();
    this.#isRunning = false;
  }
}
