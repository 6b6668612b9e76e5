import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { PublicClient } from 'viem';
import type { KeeperMetrics } from './keeperMetrics.ts';

export interface ChainReachOptions {
  /** A reader that gives up soon and repeats nothing. */
  readonly client: Pick<PublicClient, 'getBlockNumber'>;
  /** Called once whenever the chain is lost. */
  readonly onLost: () => Promise<void>;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'chainReach'>;
  readonly timing?: { readonly intervalMs: number; readonly lostAfterMs: number };
}

/** With a follower that asks for the locks twice a second, the chain is looked after again within five seconds. */
const usualTiming = { intervalMs: 500, lostAfterMs: 3_000 };
/** A process that stood still has missed an answer too: only failures in a row mean that the chain is away. */
const lostAfterFailures = 2;

/**
 * Whether this process reaches the chain. One that does not has nothing to hold locks for: it gives them back, and asks
 * for none until the chain answers it again.
 */
export class ChainReach {
  readonly #options: ChainReachOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #isReached = true;
  #answeredAtMs = performance.now();
  #failureCount = 0;

  constructor(options: ChainReachOptions) {
    this.#options = options;
    options.metrics.chainReach.set(1);
    this.#running = this.#watch();
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #watch(): Promise<void> {
    const { intervalMs } = this.#options.timing ?? usualTiming;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#look();
      await delay(intervalMs, null, { signal }).catch(() => null);
    }
  }

  async #look(): Promise<void> {
    const { client, onLost, logger, metrics, timing } = this.#options;
    const isAnswered = await client.getBlockNumber().then(
      () => true,
      () => false,
    );
    if (isAnswered) {
      this.#answeredAtMs = performance.now();
      this.#failureCount = 0;
      if (!this.#isReached) logger.warn('the chain answers again');
      this.#isReached = true;
      metrics.chainReach.set(1);
      return;
    }
    this.#failureCount += 1;
    const silentMs = performance.now() - this.#answeredAtMs;
    const isLost = this.#failureCount >= lostAfterFailures && silentMs >= (timing ?? usualTiming).lostAfterMs;
    if (!isLost || !this.#isReached) return;
    this.#isReached = false;
    metrics.chainReach.set(0);
    logger.error({ silentMs }, 'the chain does not answer: this keeper steps back');
    await onLost().catch((err: unknown) => logger.error({ err }, 'locks could not be given back'));
  }
}
