import { type BlockRange, findFirstBlock, joinRanges, type LogReading, readLogRanges } from '@core/vault';
import { type Signal, signalOf } from '../live/signal.ts';
import { chainReaderOf } from './chain.ts';
import type { Hex } from './wallet.ts';

/** Logs of a contract as far as they are read. */
export interface LogState<Log> {
  /** Logs of the blocks read, the oldest first. */
  readonly logs: readonly Log[];
  /** Blocks from the deployment of the contract to the newest one; null before they are known. */
  readonly whole: BlockRange | null;
  /** Blocks not read yet, or not at all, the oldest first. */
  readonly unread: readonly BlockRange[];
  readonly isReading: boolean;
  /** Last failure; null without one. */
  readonly failure: unknown;
  /** Number that grows at the end of a reading, and during it whenever the count of logs has doubled. */
  readonly revision: number;
}

/** Contract whose logs are read, and the request for those of some blocks. It is not repeated by its client. */
export interface LogSource<Log> {
  readonly rpcUrl: string;
  readonly contract: Hex;
  readonly read: (part: BlockRange) => Promise<readonly Log[]>;
}

/** Blocks below the newest that are read again each time, because a node may have replaced them. */
const rereadBlocks = 64n;

/** A range that most nodes take, and requests at the same time that a node without a key takes. */
const firstBlocks = 10_000n;
const concurrency = 4;
const maxFailures = 3;
const waitMs = 1_000;

const wait = (attempt: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs * attempt));

/**
 * Events of one contract since its deployment, read in the background, the newest first. After the first reading only
 * the newest blocks are read, and those that a reading left out are read on request.
 */
export class LogHistory<Log extends { readonly blockNumber: bigint }> {
  readonly state: Signal<LogState<Log>>;
  readonly #source: LogSource<Log>;
  #queue: Promise<void> = Promise.resolve();
  #stop = new AbortController();
  /** True while unread blocks wait for a request of the user. */
  #isPaused = false;

  constructor(source: LogSource<Log>) {
    this.#source = source;
    this.state = signalOf<LogState<Log>>(emptyState);
  }

  /** Read the newest blocks; also those not read before, unless a reading was stopped or failed. Never rejects. */
  refresh(): Promise<void> {
    this.#queue = this.#queue.then(() =>
      this.#read().catch((failure: unknown) => this.#set({ isReading: false, failure })),
    );
    return this.#queue;
  }

  /** Read the newest blocks and all that were not read before. Never rejects. */
  resume(): Promise<void> {
    this.#isPaused = false;
    this.#stop = new AbortController();
    return this.refresh();
  }

  /** End the reading; blocks not read stay so until `resume`. */
  stop(): void {
    this.#isPaused = true;
    this.#stop.abort();
  }

  async #read(): Promise<void> {
    this.#set({ isReading: true, failure: null });
    const reader = chainReaderOf(this.#source.rpcUrl);
    const head = await reader.getBlockNumber({ cacheTime: 0 });
    const last = this.state.get();
    // A chain that was reset to an older state has other blocks than those read before.
    const before: LogState<Log> = last.whole !== null && head < last.whole.to ? emptyState : last;
    const first = before.whole?.from ?? (await this.#firstBlock(head));
    const newestFrom = before.whole === null ? first : highest(first, before.whole.to - rereadBlocks + 1n);
    const newest = { from: newestFrom, to: head };
    const earlier = before.unread.flatMap((range) => below(newestFrom, range));
    const settledLogs = before.logs.filter(({ blockNumber }) => blockNumber < newestFrom);
    const skipped = this.#isPaused ? earlier : [];
    const update = ({ items, unread, failure }: LogReading<Log>, isReading: boolean): void => {
      const logs = [...settledLogs, ...items].toSorted((left, right) => Number(left.blockNumber - right.blockNumber));
      const { revision } = this.state.get();
      const isDue = !isReading || logs.length >= 2 * this.#logsAtRevision;
      if (isDue) this.#logsAtRevision = Math.max(1, logs.length);
      const rest = joinRanges([...skipped, ...unread]);
      const whole = { from: first, to: head };
      this.state.set({ logs, whole, unread: rest, isReading, failure, revision: revision + Number(isDue) });
    };
    const reading = await readLogRanges(this.#isPaused ? [newest] : [newest, ...earlier], this.#source.read, {
      concurrency,
      firstBlocks,
      maxFailures,
      wait,
      onProgress: (part) => update(part, true),
      // Only the long way back can be stopped.
      ...(this.#isPaused ? {} : { signal: this.#stop.signal }),
    });
    if (reading.failure !== null) this.#isPaused = true;
    update(reading, false);
  }

  #logsAtRevision = 1;

  #firstBlock(head: bigint): Promise<bigint> {
    const reader = chainReaderOf(this.#source.rpcUrl, 0);
    const hasCodeAt = async (blockNumber: bigint): Promise<boolean> =>
      (await reader.getCode({ address: this.#source.contract, blockNumber })) !== undefined;
    return findFirstBlock(hasCodeAt, head);
  }

  #set(change: Partial<LogState<Log>>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}

const emptyState = { logs: [], whole: null, unread: [], isReading: false, failure: null, revision: 0 } as const;

const highest = (left: bigint, right: bigint): bigint => (left > right ? left : right);

/** Return the blocks of a range below a block: none or one range. */
function below(block: bigint, { from, to }: BlockRange): readonly BlockRange[] {
  return from >= block ? [] : [{ from, to: to < block ? to : block - 1n }];
}
