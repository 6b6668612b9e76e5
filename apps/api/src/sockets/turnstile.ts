interface Waiting {
  readonly isWanted: () => boolean;
  /** True lets it in; false sends it away. */
  readonly call: (isAdmitted: boolean) => void;
}

/** Bounded FIFO semaphore: a limited number of callers run and a limited number queue. */
export class Turnstile {
  readonly #maxWaiting: number;
  #free: number;
  #waiting: Waiting[] = [];

  constructor(limits: { readonly places: number; readonly maxWaiting: number }) {
    this.#free = limits.places;
    this.#maxWaiting = limits.maxWaiting;
  }

  /**
   * Run `work` in a slot and return its result. Null when it is no longer wanted by then, or when too many callers
   * wait. A caller that has left holds no slot and, once they are scarce, no position in the queue.
   */
  async pass<Result>(work: () => Promise<Result>, isWanted: () => boolean): Promise<Result | null> {
    if (!(await this.#admitted(isWanted))) return null;
    try {
      return isWanted() ? await work() : null;
    } finally {
      this.#callNext();
    }
  }

  #admitted(isWanted: () => boolean): Promise<boolean> | boolean {
    if (!isWanted()) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    if (this.#waiting.length >= this.#maxWaiting) this.#sendUnwantedAway();
    if (this.#waiting.length >= this.#maxWaiting) return false;
    return new Promise((call) => this.#waiting.push({ isWanted, call }));
  }

  #sendUnwantedAway(): void {
    const { wanted = [], unwanted = [] } = Object.groupBy(this.#waiting, ({ isWanted }) =>
      isWanted() ? 'wanted' : 'unwanted',
    );
    this.#waiting = wanted;
    for (const { call } of unwanted) call(false);
  }

  #callNext(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.call(true);
  }
}
