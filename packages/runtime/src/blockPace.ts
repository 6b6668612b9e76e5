/** Block of a chain, with its Unix second. */
export interface TimedBlock {
  readonly blockNumber: bigint;
  readonly timeSeconds: number;
}

/** Steps between blocks that are remembered. */
const rememberedCount = 12;
/** Smallest number of them that shows a pace. */
const minimumCount = 2;
/** Smallest pace: a chain with faster blocks mines a transaction in the second in which it is sent. */
const minimumPaceSeconds = 2;

/**
 * Pace of a chain, learned from its last blocks, and the second of the block that will include a transaction sent now.
 * The last block's time is too early for that: a price that moves with time is another one in the next block.
 */
export class BlockPace {
  #last: (TimedBlock & { readonly seenAtMs: number }) | null = null;
  /** Seconds from one block to the next, oldest first. */
  readonly #steps: number[] = [];

  /**
   * Record the last block.
   * @param atMs Monotonic milliseconds.
   */
  observe({ blockNumber, timeSeconds }: TimedBlock, atMs: number): void {
    const last = this.#last;
    if (last !== null && last.blockNumber === blockNumber && last.timeSeconds === timeSeconds) return;
    this.#last = { blockNumber, timeSeconds, seenAtMs: atMs };
    if (last === null || blockNumber <= last.blockNumber) return;
    this.#steps.push((timeSeconds - last.timeSeconds) / Number(blockNumber - last.blockNumber));
    if (this.#steps.length > rememberedCount) this.#steps.shift();
  }

  /**
   * Seconds from one block to the next; 0 for a chain that mines a transaction at once, has no regular steps or is not
   * known for long enough. Half of the steps are regular: a block that is missing makes a longer one.
   */
  get seconds(): number {
    if (this.#steps.length < minimumCount) return 0;
    const shortest = Math.min(...this.#steps);
    const regular = this.#steps.filter((step) => step < shortest + 1);
    return shortest >= minimumPaceSeconds && regular.length * 2 > this.#steps.length ? Math.round(shortest) : 0;
  }

  /**
   * Return the Unix second of the block that will include a transaction sent now; null before the first block. It rests
   * on the chain's own times and on the time since its last block was seen, never on this machine's clock.
   */
  nextSeconds(atMs: number): number | null {
    if (this.#last === null) return null;
    const sinceSeconds = (atMs - this.#last.seenAtMs) / 1_000;
    const pace = this.seconds;
    const ahead = pace === 0 ? Math.floor(sinceSeconds) : pace * (1 + Math.floor(sinceSeconds / pace));
    return this.#last.timeSeconds + ahead;
  }
}
