import type { TopHolder, VenueClient } from '../port/venueClient.ts';
import { isVenueFault, type VenueFault } from '../port/venueFault.ts';

export interface HoldersReaderOptions {
  readonly client: Pick<VenueClient, 'topHolders'>;
  /** Interval at which the largest holders of a market are read. */
  readonly intervalMs: number;
  readonly onHolders: (holders: readonly TopHolder[]) => void;
  readonly onFault?: (fault: VenueFault) => void;
}

const maxConcurrentReads = 4;

/**
 * Reader of the largest holders of markets at an interval, a few at a time. A failed read waits for the next interval.
 */
export class HoldersReader {
  readonly #options: HoldersReaderOptions;
  /** Condition id → monotonic instant of its last request. */
  readonly #askedAt = new Map<string, number>();
  #readingCount = 0;
  #isClosed = false;

  constructor(options: HoldersReaderOptions) {
    this.#options = options;
  }

  add(conditionId: string): void {
    this.#askedAt.set(conditionId, Number.NEGATIVE_INFINITY);
  }

  remove(conditionId: string): void {
    this.#askedAt.delete(conditionId);
  }

  /** Begin the reads that are due at the monotonic instant `now`. */
  sweep(now: number): void {
    for (const [conditionId, askedAt] of this.#askedAt) {
      if (this.#readingCount >= maxConcurrentReads) {
        return;
      }
      if (now - askedAt >= this.#options.intervalMs) {
        this.#askedAt.set(conditionId, now);
        void this.#read(conditionId);
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#askedAt.clear();
  }

  async #read(conditionId: string): Promise<void> {
    this.#readingCount += 1;
    try {
      const holders = await this.#options.client.topHolders(conditionId);
      if (!this.#isClosed) {
        this.#options.onHolders(holders);
      }
    } catch (error) {
      if (!isVenueFault(error)) {
        throw error;
      }
      if (!this.#isClosed) {
        this.#options.onFault?.(error);
      }
    } finally {
      this.#readingCount -= 1;
    }
  }
}
