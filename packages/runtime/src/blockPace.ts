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
/** Longest time for which a new block is not expected: a node that fails must be noticed. */
const longestWaitMs = 2_000;
/** Part of the pace that must pass between blocks in real time: a clock that is moved makes steps of its own. */
const realPart = 0.75;

interface ObservedBlock extends TimedBlock {
  readonly seenAtMs: number;
}

/**
 * Pace of a chain, learned from its last blocks, and the second of the block that will include a transaction sent now.
 * The last block's time is too early for that: a price that moves with time is another one in the next block.
 */
export class BlockPace {
  #last: ObservedBlock | null = null;
  /** Last blocks as they were seen, oldest first. */
  readonly #observed: ObservedBlock[] = [];
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
    this.#observed.push(this.#last);
    if (this.#observed.length > rememberedCount) this.#observed.shift();
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
   * Return the milliseconds until the next block can be there, so that polls before it are left out; 0 once it is due,
   * and on a chain without a pace. The block that came soonest after its own time shows when the next one comes.
   */
  dueInMs(atMs: number): number {
    const [first] = this.#observed;
    const pace = this.seconds;
    if (pace === 0 || this.#last === null || first === undefined) return 0;
    const { blockNumber, timeSeconds, seenAtMs } = this.#last;
    const realMs = (seenAtMs - first.seenAtMs) / Number(blockNumber - first.blockNumber);
    if (!(realMs >= pace * 1_000 * realPart)) return 0;
    const lagMs = Math.min(...this.#observed.map((block) => block.seenAtMs - block.timeSeconds * 1_000));
    return Math.min(longestWaitMs, Math.max(0, (timeSeconds + pace) * 1_000 + lagMs - atMs));
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
