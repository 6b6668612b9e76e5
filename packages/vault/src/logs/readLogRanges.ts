import { type BlockRange, blockCountOf, joinRanges, newestPartOf } from './blockRanges.ts';
import { type LogFailure, logFailureOf } from './logFailure.ts';
import { firstRangeSize, type RangeSize, sizeAfter } from './rangeSize.ts';

/** Result of reading ranges of blocks, complete or not. */
export interface LogReading<Item> {
  /** Items of the blocks read, in the order of their blocks. */
  readonly items: readonly Item[];
  /** Blocks not read, the oldest first. */
  readonly unread: readonly BlockRange[];
  /** Last failure that left blocks unread; null without one. */
  readonly failure: unknown;
}

export interface LogReadingOptions<Item> {
  /** Requests at the same time. */
  readonly concurrency: number;
  /** Blocks of the first requests. */
  readonly firstBlocks: bigint;
  /** Parts in a row that fail for good before the reading ends. */
  readonly maxFailures: number;
  /**
   * Wait before a busy node is asked again, at most twice for each part. With it, a part that failed for an unknown
   * reason is halved as well: gateways report a range that takes too long in many ways. Without it neither is tried
   * again.
   */
  readonly wait?: (attempt: number) => Promise<void>;
  /** Return true for an item below whose blocks nothing else is of interest. */
  readonly isLast?: (item: Item) => boolean;
  /** Called after each part; blocks that are being read count as unread. */
  readonly onProgress?: (reading: LogReading<Item>) => void;
  /** Size that an earlier reading found, instead of `firstBlocks`. */
  readonly knownSize?: RangeSize | undefined;
  /** Called with each size that the node has shown. */
  readonly onSize?: (size: RangeSize) => void;
  /** Ends the reading after the requests that are under way. */
  readonly signal?: AbortSignal;
}

type ReadPart<Item> = (part: BlockRange) => Promise<readonly Item[]>;

const maxAttempts = 3;

/** Decide what follows on the failure of a part that was tried so many times. */
function decideNext(
  failure: LogFailure,
  { blocks, attempts, isPatient }: { readonly blocks: bigint; readonly attempts: number; readonly isPatient: boolean },
): 'split' | 'repeat' | 'giveUp' {
  if (failure === 'busy') return isPatient && attempts < maxAttempts ? 'repeat' : 'giveUp';
  return blocks > 1n && (failure === 'tooLarge' || isPatient) ? 'split' : 'giveUp';
}

/**
 * Read something of all blocks of some ranges, the newest first, in parts that shrink until the node takes them. No
 * block is read twice, and one that cannot be read is among the unread ones.
 */
export async function readLogRanges<Item>(
  ranges: readonly BlockRange[],
  read: ReadPart<Item>,
  options: LogReadingOptions<Item>,
): Promise<LogReading<Item>> {
  const reader = new RangeReader(ranges, { read, options });
  await reader.run();
  return reader.reading;
}

interface Pending {
  readonly range: BlockRange;
  readonly attempts: number;
}

class RangeReader<Item> {
  readonly #read: ReadPart<Item>;
  readonly #options: LogReadingOptions<Item>;
  /** Ranges to read, the newest last. */
  #pending: readonly Pending[];
  readonly #running = new Set<BlockRange>();
  readonly #failed: BlockRange[] = [];
  readonly #parts: { readonly from: bigint; readonly items: readonly Item[] }[] = [];
  #size;
  #failuresInRow = 0;
  #failure: unknown = null;
  /** Lowest block of interest. */
  #floor = 0n;

  constructor(
    ranges: readonly BlockRange[],
    { read, options }: { readonly read: ReadPart<Item>; readonly options: LogReadingOptions<Item> },
  ) {
    this.#pending = joinRanges(ranges).map((range) => ({ range, attempts: 0 }));
    this.#read = read;
    this.#options = options;
    this.#size = options.knownSize ?? firstRangeSize(options.firstBlocks);
  }

  async run(): Promise<void> {
    const reads = new Set<Promise<void>>();
    for (;;) {
      while (reads.size < this.#options.concurrency) {
        const next = this.#take();
        if (next === null) break;
        const one: Promise<void> = this.#readPart(next).finally(() => reads.delete(one));
        reads.add(one);
      }
      if (reads.size === 0) return;
      await Promise.race(reads);
    }
  }

  get reading(): LogReading<Item> {
    const unread = [...this.#pending.map(({ range }) => range), ...this.#running, ...this.#failed];
    return {
      items: this.#parts.toSorted((left, right) => (left.from < right.from ? -1 : 1)).flatMap(({ items }) => items),
      unread: joinRanges(unread.flatMap((range) => this.#aboveFloor(range))),
      failure: this.#failure,
    };
  }

  /** Take the newest part to read; null where none is left, or none is to be read. */
  #take(): Pending | null {
    if (this.#options.signal?.aborted === true || this.#failuresInRow >= this.#options.maxFailures) return null;
    const next = this.#pending.at(-1);
    if (next === undefined) return null;
    this.#pending = this.#pending.slice(0, -1);
    const [range] = this.#aboveFloor(next.range);
    if (range === undefined) return this.#take();
    const { part, rest } = newestPartOf(range, this.#size.blocks);
    if (rest !== null) this.#pending = [...this.#pending, { range: rest, attempts: 0 }];
    this.#running.add(part);
    return { range: part, attempts: next.attempts };
  }

  #aboveFloor({ from, to }: BlockRange): readonly BlockRange[] {
    if (to < this.#floor) return [];
    return [{ from: from < this.#floor ? this.#floor : from, to }];
  }

  async #readPart({ range, attempts }: Pending): Promise<void> {
    const { onProgress, isLast } = this.#options;
    try {
      const items = await this.#read(range);
      this.#parts.push({ from: range.from, items });
      this.#failuresInRow = 0;
      this.#learn({ blocks: blockCountOf(range), isRefused: false });
      if (isLast !== undefined && items.some(isLast) && range.from > this.#floor) this.#floor = range.from;
    } catch (error) {
      await this.#follow(error, { range, attempts: attempts + 1 });
    }
    this.#running.delete(range);
    onProgress?.(this.reading);
  }

  #learn(answer: { readonly blocks: bigint; readonly isRefused: boolean }): void {
    this.#size = sizeAfter(this.#size, answer);
    this.#options.onSize?.(this.#size);
  }

  /** Do what follows on a failure. */
  async #follow(error: unknown, { range, attempts }: Pending): Promise<void> {
    const { wait } = this.#options;
    const blocks = blockCountOf(range);
    const next = decideNext(logFailureOf(error), { blocks, attempts, isPatient: wait !== undefined });
    if (next === 'giveUp') {
      this.#failed.push(range);
      this.#failuresInRow += 1;
      this.#failure = error;
      return;
    }
    if (next === 'split') this.#learn({ blocks, isRefused: true });
    else await wait?.(attempts);
    const again = { range, attempts: next === 'split' ? 0 : attempts };
    this.#pending = [...this.#pending, again].toSorted((left, right) => (left.range.to < right.range.to ? -1 : 1));
  }
}
