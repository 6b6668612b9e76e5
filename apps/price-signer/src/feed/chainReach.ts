import { type Clock, type HeadState, HeadWatch, type Polling, pollRepeatedly } from '@core/runtime';
import type { PublicClient } from 'viem';

const defaultIntervalMs = 2_000;
/** Two reads with all their retries may fail before the chain counts as unreachable. */
const lostAfterMs = 10_000;

export interface ChainReachOptions {
  readonly client: Pick<PublicClient, 'getBlock'>;
  /** The service clock. */
  readonly clock: Clock;
  /** Oldest last block of a chain that moves. */
  readonly maxHeadAgeMs: number;
  /** Pause between two reads; 2 s by default. */
  readonly intervalMs?: number;
}

/** Poll of the chain: without an answer, or on a head that stands still, nothing can be attested. */
export class ChainReach {
  readonly #options: ChainReachOptions;
  readonly #head: HeadWatch;
  readonly #polling: Polling;
  #answeredAtMs = performance.now();

  private constructor(options: ChainReachOptions) {
    this.#options = options;
    const { maxHeadAgeMs, intervalMs = defaultIntervalMs } = options;
    this.#head = new HeadWatch(maxHeadAgeMs);
    // Every failure has the same effect: the age of the last answer grows.
    this.#polling = pollRepeatedly({
      task: () => this.#read(),
      intervalMs,
      firstDelayMs: intervalMs,
      onFailure: () => undefined,
    });
  }

  /** Read the last block once and go on in the background. A failure of the first read is one of many. */
  static async open(options: ChainReachOptions): Promise<ChainReach> {
    const chain = new ChainReach(options);
    await chain.#read().catch(() => undefined);
    return chain;
  }

  get ageMs(): number {
    return performance.now() - this.#answeredAtMs;
  }

  /** Age of the last block, and whether blocks come. */
  get head(): HeadState {
    return this.#head.state(this.#instant());
  }

  /** True while the chain answers and its blocks are current. */
  get isReached(): boolean {
    return this.ageMs < lostAfterMs && this.head.isCurrent;
  }

  close(): void {
    void this.#polling.stop();
  }

  #instant() {
    return { nowMs: this.#options.clock.nowMs(), atMs: performance.now() };
  }

  async #read(): Promise<void> {
    const { timestamp } = await this.#options.client.getBlock({ blockTag: 'latest' });
    this.#answeredAtMs = performance.now();
    this.#head.observe(Number(timestamp) * 1_000, this.#instant());
  }
}
