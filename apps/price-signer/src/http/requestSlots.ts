/** Bounded number of concurrent requests, each for a bounded time. */
export class RequestSlots {
  readonly #maxCount: number;
  #count = 0;

  constructor(maxCount: number) {
    this.#maxCount = maxCount;
  }

  /** Run the work now; null when all slots are taken, or when the limit passes, which frees the slot. */
  async take<Result>(work: () => Promise<Result>, limitMs: number): Promise<Result | null> {
    if (this.#count >= this.#maxCount) return null;
    this.#count += 1;
    const over = Promise.withResolvers<null>();
    const timer = setTimeout(() => over.resolve(null), limitMs);
    try {
      return await Promise.race([work(), over.promise]);
    } finally {
      clearTimeout(timer);
      this.#count -= 1;
    }
  }
}
