import type { BookSnapshot, VenueClient } from '../port/venueClient.ts';
import { isVenueFault, type VenueFault } from '../port/venueFault.ts';

export interface ReaderTiming {
  /** How often due reads are looked for. */
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
  readonly client: Pick<VenueClient, 'book'>;
  readonly timing?: Partial<ReaderTiming>;
  readonly onBook: (tokenId: string, snapshot: BookSnapshot) => void;
  readonly onFault?: (tokenId: string, fault: VenueFault) => void;
  /** Runs with each sweep. */
  readonly onSweep?: () => void;
}

interface Schedule {
  /** Instants of the process's own monotonic clock, which no simulation moves. */
  heardAt: number;
  readAt: number;
  notBefore: number;
  failureCount: number;
  isWanted: boolean;
  isReading: boolean;
}

/**
 * Reads books over REST when the socket has not been heard, is not trusted, or has to be checked. Bounded concurrency.
 */
export class BookReader {
  readonly #options: BookReaderOptions;
  readonly #timing: ReaderTiming;
  readonly #schedules = new Map<string, Schedule>();
  /** Tokens to read next, in the order they were asked for. */
  readonly #queue = new Set<string>();
  readonly #sweepTimer: NodeJS.Timeout;
  #readingCount = 0;
  #isClosed = false;

  constructor(options: BookReaderOptions) {
    this.#options = options;
    this.#timing = { ...defaultReaderTiming, ...options.timing };
    this.#sweepTimer = setInterval(() => this.#sweep(), this.#timing.sweepIntervalMs);
  }

  /** Starts with a token; its first read begins at once. */
  add(tokenId: string): void {
    this.#schedules.set(tokenId, {
      heardAt: Number.NEGATIVE_INFINITY,
      readAt: Number.NEGATIVE_INFINITY,
      notBefore: 0,
      failureCount: 0,
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

  /** Asks for a read as soon as possible. */
  want(tokenId: string): void {
    const schedule = this.#schedules.get(tokenId);
    if (schedule !== undefined) {
      schedule.isWanted = true;
      this.#enqueue(tokenId);
    }
  }

  /** Asks for a read of every token. */
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

  /** Begins as many queued reads as may run; one that must still wait is taken up by a later sweep. */
  #readNext(): void {
    for (const tokenId of this.#queue) {
      if (this.#readingCount >= this.#timing.maxConcurrentReads) {
        return;
      }
      this.#queue.delete(tokenId);
      const schedule = this.#schedules.get(tokenId);
      if (schedule !== undefined && this.#isDue(schedule)) {
        void this.#read(tokenId, schedule);
      }
    }
  }

  async #read(tokenId: string, schedule: Schedule): Promise<void> {
    this.#readingCount += 1;
    schedule.isReading = true;
    schedule.isWanted = false;
    let snapshot: BookSnapshot | null = null;
    let pauseMs = this.#timing.maxRetryMs;
    try {
      // A book the venue does not have (any more) is asked for again, but not soon.
      snapshot = await this.#options.client.book(tokenId);
      schedule.failureCount = 0;
      pauseMs = snapshot === null ? pauseMs : this.#timing.minRetryMs / 5;
    } catch (error) {
      if (!isVenueFault(error)) {
        throw error;
      }
      schedule.failureCount += 1;
      schedule.isWanted = true;
      pauseMs = Math.min(pauseMs, this.#timing.minRetryMs * 2 ** Math.min(schedule.failureCount - 1, 20));
      if (!this.#isClosed) {
        this.#options.onFault?.(tokenId, error);
      }
    } finally {
      this.#readingCount -= 1;
      schedule.isReading = false;
      // Even a read that went well is not repeated at once, or a stream of bad frames would become a stream of reads.
      schedule.notBefore = performance.now() + pauseMs;
    }
    if (snapshot !== null && !this.#isClosed && this.#schedules.get(tokenId) === schedule) {
      schedule.readAt = performance.now();
      this.#options.onBook(tokenId, snapshot);
    }
    this.#readNext();
  }
}
