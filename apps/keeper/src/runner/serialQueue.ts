/**
 * Pieces of work that must not overlap: each starts when the one before it has ended, also when that one failed. Urgent
 * ones go before all others that have not started.
 */
export class SerialQueue {
  readonly #urgent: (() => Promise<void>)[] = [];
  readonly #others: (() => Promise<void>)[] = [];
  #isRunning = false;

  run<Result>(work: () => Promise<Result>, { isUrgent = false } = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      (isUrgent ? this.#urgent : this.#others).push(() => Promise.resolve().then(work).then(resolve, reject));
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) await next();
    this.#isRunning = false;
  }

  #next(): (() => Promise<void>) | undefined {
    return this.#urgent.shift() ?? this.#others.shift();
  }
}
