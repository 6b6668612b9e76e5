import type { BookSnapshot, VenueClient } from '../port/venueClient.ts';
import { isVenueFault, type VenueFault } from '../port/venueFault.ts';

export interface ReaderTiming {
  /** Interval at which due reads are started. */
  readonly sweepIntervalMs: number;
  /** Silence of the socket about a token after which a read confirms its book: well under the 5-second rule. */
  readonly confirmAfterMs: number;
  /** A token is read at least this often even while its socket talks: the second source of the divergence check. */
  readonly secondSourceMs: number;
  readonly maxConcurrentReads: number;
  /** First and longest wait after a failed read of a token. */
  readonly minRetryMs: number;
  readonly maxRetryMs: number;
}

const defaultReaderTiming: ReaderTiming = {
  sweepIntervalMs: 250,
  confirmAfterMs: 1_500,
  secondSourceMs: 10_000,
  maxConcurrentReads: 8,
  minRetryMs: 250,
  maxRetryMs: 5_000,
};

export interface BookReaderOptions {
  /** With `books`, many tokens that wait are read in batches. */
  readonly client: Pick<VenueClient, 'book'> & Partial<Pick<VenueClient, 'books'>>;
  readonly timing?: Partial<ReaderTiming>;
  readonly onBook: (tokenId: string, snapshot: BookSnapshot) => void;
  readonly onFault?: (tokenId: string, fault: VenueFault) => void;
  /** Called with each sweep. */
  readonly onSweep?: () => void;
}

/** Waiting tokens from which on they are read in batches, and tokens of one batch. */
const batchAbove = 32;
const tokensPerBatch = 100;

interface Schedule {
  /** Instants of the process's own monotonic clock, which no simulation moves. */
  heardAt: number;
  readAt: number;
  notBefore: number;
  failureCount: number;
  /** Largest batch that the token is read in: halved with each batch that failed with it. */
  maxBatch: number;
  isWanted: boolean;
  isReading: boolean;
}

/** Reader of books over REST: after a silence of the socket, on distrust, and for confirmation. Bounded concurrency. */
export class BookReader {
  readonly #options: BookReaderOptions;
  readonly #timing: ReaderTiming;
  readonly #schedules = new Map<string, Schedule>();
  /** Tokens to read next, in order of request. */
  readonly #queue = new Set<string>();
  readonly #sweepTimer: NodeJS.Timeout;
  #readingCount = 0;
  #isClosed = false;

  constructor(options: BookReaderOptions) {
    this.#options = options;
    this.#timing = { ...defaultReaderTiming, ...options.timing };
    this.#sweepTimer = setInterval(() => this.#sweep(), this.#timing.sweepIntervalMs);
  }

  /** Add a token; its first read begins at once. */
  add(tokenId: string): void {
    this.#schedules.set(tokenId, {
      heardAt: Number.NEGATIVE_INFINITY,
      readAt: Number.NEGATIVE_INFINITY,
      notBefore: 0,
      failureCount: 0,
      maxBatch: tokensPerBatch,
      isWanted: true,
      isReading: false,
    });
    this.#enqueue(tokenId);
  }

  remove(tokenId: string): void {
    this.#schedules.delete(tokenId);
    this.#queue.delete(tokenId);
  }

  /** The socket said something about the token that fits. */
  heard(tokenId: string): void {
    const schedule = this.#schedules.get(tokenId);
    if (schedule !== undefined) {
      schedule.heardAt = performance.now();
    }
  }

  /** Request a read as soon as possible. */
  want(tokenId: string): void {
    const schedule = this.#schedules.get(tokenId);
    if (schedule !== undefined) {
      schedule.isWanted = true;
      this.#enqueue(tokenId);
    }
  }

  /** Request a read of every token. */
  wantAll(): void {
    for (const tokenId of this.#schedules.keys()) {
      this.want(tokenId);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweepTimer);
    this.#schedules.clear();
    this.#queue.clear();
  }

  #sweep(): void {
    for (const [tokenId, schedule] of this.#schedules) {
      if (this.#isDue(schedule)) {
        this.#queue.add(tokenId);
      }
    }
    this.#readNext();
    this.#options.onSweep?.();
  }

  #enqueue(tokenId: string): void {
    this.#queue.add(tokenId);
    this.#readNext();
  }

  #isDue(schedule: Schedule): boolean {
    const now = performance.now();
    const lastKnownAt = Math.max(schedule.heardAt, schedule.readAt);
    return (
      !schedule.isReading &&
      now >= schedule.notBefore &&
      (schedule.isWanted ||
        now - lastKnownAt >= this.#timing.confirmAfterMs ||
        now - schedule.readAt >= this.#timing.secondSourceMs)
    );
  }

  /** Begin as many queued reads as may run; a later sweep begins the others. */
  #readNext(): void {
    while (this.#readingCount < this.#timing.maxConcurrentReads) {
      const isBatched = this.#options.client.books !== undefined && this.#queue.size > batchAbove;
      const due = this.#takeDue(isBatched ? tokensPerBatch : 1);
      if (due.size === 0) {
        return;
      }
      void this.#read(due);
    }
  }

  /** Take due tokens off the queue, as many as one read may have: those that fit into the batch of the first. */
  #takeDue(maxCount: number): Map<string, Schedule> {
    const due = new Map<string, Schedule>();
    let limit = maxCount;
    for (const tokenId of this.#queue) {
      if (due.size >= limit) {
        break;
      }
      const schedule = this.#schedules.get(tokenId);
      if (schedule !== undefined && schedule.maxBatch <= due.size) {
        continue;
      }
      this.#queue.delete(tokenId);
      if (schedule !== undefined && this.#isDue(schedule)) {
        limit = Math.min(limit, schedule.maxBatch);
        due.set(tokenId, schedule);
      }
    }
    return due;
  }

  async #read(due: ReadonlyMap<string, Schedule>): Promise<void> {
    this.#readingCount += 1;
    for (const schedule of due.values()) {
      schedule.isReading = true;
      schedule.isWanted = false;
    }
    let snapshots: ReadonlyMap<string, BookSnapshot> = new Map();
    let fault: VenueFault | null = null;
    try {
      snapshots = await this.#snapshotsOf([...due.keys()]);
    } catch (error) {
      if (!isVenueFault(error)) {
        throw error;
      }
      fault = error;
    } finally {
      this.#readingCount -= 1;
      for (const schedule of due.values()) schedule.isReading = false;
    }
    if (fault !== null && fault.retryAfterMs === null && due.size > 1) {
      this.#halve(due);
    } else {
      for (const [tokenId, schedule] of due) {
        this.#finish(tokenId, schedule, fault ?? snapshots.get(tokenId) ?? null);
      }
    }
    this.#readNext();
  }

  /** Let a later sweep read the tokens of a failed batch in halves: one of them may be the cause. */
  #halve(due: ReadonlyMap<string, Schedule>): void {
    const notBefore = performance.now() + this.#timing.minRetryMs;
    for (const schedule of due.values()) {
      Object.assign(schedule, { maxBatch: Math.ceil(due.size / 2), isWanted: true, notBefore });
    }
  }

  async #snapshotsOf(tokenIds: readonly string[]): Promise<ReadonlyMap<string, BookSnapshot>> {
    const { client } = this.#options;
    const [only = ''] = tokenIds;
    if (tokenIds.length > 1 && client.books !== undefined) {
      return new Map((await client.books(tokenIds)).map((snapshot) => [snapshot.tokenId, snapshot]));
    }
    const snapshot = await client.book(only);
    return new Map(snapshot === null ? [] : [[only, snapshot]]);
  }

  /** Schedule the next read of a token; null for a book that the venue does not have (any more). */
  #finish(tokenId: string, schedule: Schedule, result: BookSnapshot | VenueFault | null): void {
    const { minRetryMs, maxRetryMs } = this.#timing;
    // Even a read that went well is not repeated at once, or a stream of bad frames would become a stream of reads.
    let pauseMs = result === null ? maxRetryMs : minRetryMs / 5;
    if (isVenueFault(result)) {
      schedule.failureCount += 1;
      schedule.isWanted = true;
      pauseMs = Math.min(maxRetryMs, minRetryMs * 2 ** Math.min(schedule.failureCount - 1, 20));
      pauseMs = Math.max(pauseMs, result.retryAfterMs ?? 0);
      if (!this.#isClosed) {
        this.#options.onFault?.(tokenId, result);
      }
    } else {
      schedule.failureCount = 0;
      schedule.maxBatch = tokensPerBatch;
    }
    schedule.notBefore = performance.now() + pauseMs;
    if (result === null || isVenueFault(result) || this.#isClosed || this.#schedules.get(tokenId) !== schedule) {
      return;
    }
    schedule.readAt = performance.now();
    this.#options.onBook(tokenId, result);
  }
}
