import { monitorEventLoopDelay } from 'node:perf_hooks';
import { bookAgeMsOf, type MarketWatch, type VenueClient } from '@core/venue';
import { quantileOf } from './loadClient.ts';

/** Figures of a process that follows markets, over a span. */
export interface LiveFigures {
  readonly bookCount: number;
  /** Books without any data, at the worst moment. */
  readonly missingCount: number;
  readonly ageP50Ms: number;
  readonly ageP99Ms: number;
  readonly oldestMs: number;
  readonly ticksPerSecond: number;
  readonly readsPerSecond: number;
  readonly lagP99Ms: number;
  readonly lagMaxMs: number;
  readonly residentBytes: number;
}

/** A token whose book is sampled until its market ends. */
export interface WatchedToken {
  readonly tokenId: string;
  readonly closesAtMs: number;
}

const lookMs = 250;

/** Sampler of the age of every book, four times a second until the figures are requested. */
export class LiveLook {
  readonly #live: Pick<MarketWatch, 'book' | 'onTick'>;
  readonly #tokens: readonly WatchedToken[];
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  #agesMs: number[] = [];
  #missingCount = 0;
  #bookCount = 0;
  #tickCount = 0;
  #readCount = 0;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(live: Pick<MarketWatch, 'book' | 'onTick'>, tokens: readonly WatchedToken[]) {
    this.#live = live;
    this.#tokens = tokens;
    live.onTick(() => {
      this.#tickCount += 1;
    });
  }

  /** Count a read of a book over REST. */
  countRead(): void {
    this.#readCount += 1;
  }

  start(): object {
    [this.#agesMs, this.#missingCount, this.#tickCount, this.#readCount] = [[], 0, 0, 0];
    this.#startedAt = performance.now();
    this.#delay.reset();
    this.#delay.enable();
    this.#timer = setInterval(() => this.#look(), lookMs);
    return {};
  }

  figures(): LiveFigures {
    clearInterval(this.#timer);
    this.#delay.disable();
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const sorted = Float64Array.from(this.#agesMs).sort();
    return {
      bookCount: this.#bookCount,
      missingCount: this.#missingCount,
      ageP50Ms: quantileOf(sorted, 0.5),
      ageP99Ms: quantileOf(sorted, 0.99),
      oldestMs: sorted.at(-1) ?? Number.NaN,
      ticksPerSecond: this.#tickCount / seconds,
      readsPerSecond: this.#readCount / seconds,
      lagP99Ms: this.#delay.percentile(99) / 1e6,
      lagMaxMs: this.#delay.max / 1e6,
      residentBytes: process.memoryUsage().rss,
    };
  }

  #look(): void {
    const nowMs = Date.now();
    let missingCount = 0;
    // A market that has ended has no book.
    const open = this.#tokens.filter(({ closesAtMs }) => nowMs < closesAtMs);
    this.#bookCount = open.length;
    for (const { tokenId } of open) {
      const book = this.#live.book(tokenId);
      if (book === null) missingCount += 1;
      else this.#agesMs.push(bookAgeMsOf(book, nowMs));
    }
    this.#missingCount = Math.max(this.#missingCount, missingCount);
  }
}

/** Return a client whose reads of books are counted. */
export function countedReads(client: Pick<VenueClient, 'book' | 'topHolders'>, onRead: () => void): typeof client {
  return {
    topHolders: (conditionId) => client.topHolders(conditionId),
    book: (tokenId) => {
      onRead();
      return client.book(tokenId);
    },
  };
}
