import { setTimeout as delay } from 'node:timers/promises';
import { BlockPace, type ChainReport, type Clock, coinReportOf, type HeadState, HeadWatch } from '@core/runtime';
import type { Logger } from 'pino';
import type { KeeperMetrics } from './keeperMetrics.ts';
import { type SendingProblem, type SendingState, sendingProblemsOf } from './sendingProblems.ts';

export interface ChainReachOptions {
  /** Read the last block with a short timeout and no retry. */
  readonly readHead: () => Promise<{ readonly number: bigint; readonly timestamp: bigint; readonly hash: string }>;
  /** Called with each head other than the last. */
  readonly onHead: () => void;
  /** Return true while another keeper is known to be alive, so that it can take the locks over. */
  readonly isFollowed: () => Promise<boolean>;
  /** Called once at each loss of the chain, when the locks are to be released. */
  readonly onLost: () => Promise<void>;
  /** State of the keeper's own transactions. */
  readonly sending: () => SendingState;
  readonly limits: ChainLimits;
  /** The service clock. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'chainReach' | 'headAge' | 'chainLead' | 'nonceAge'>;
  readonly timing?: Partial<ReachTiming>;
}

/** Times of the poll. */
export interface ReachTiming {
  /** Pause between two polls; on a chain with a pace none comes before a new block can be there. */
  readonly intervalMs: number;
  /** Silence after which the chain counts as lost. */
  readonly lostAfterMs: number;
  /** Silence after which the locks are released although no other keeper is known to be alive. */
  readonly releaseAfterMs: number;
}

/** Limits that a moving chain stays within. */
export interface ChainLimits {
  readonly maxHeadAgeMs: number;
  readonly maxNonceAgeMs: number;
}

/** Reason for which a running keeper cannot work. */
export type ChainProblem = 'chain_unreachable' | 'head_too_old' | 'clock_ahead' | SendingProblem;

/** Timing by which another keeper, which requests locks twice a second, works within five seconds. */
const defaultTiming: ReachTiming = { intervalMs: 300, lostAfterMs: 3_000, releaseAfterMs: 10_000 };
/** Consecutive failures that mean an unreachable chain: a suspended process also misses one answer. */
const lostAfterFailures = 2;

/**
 * Poll of the chain: it must answer this process, advance, and match the service clock. A process that loses the chain
 * starts no work until it answers again. It releases its locks where another keeper can take them over, and after a
 * longer silence in any case: a standby with the same key is not known, but work under way loses its locks for nothing
 * where there is none.
 */
export class ChainReach {
  readonly #options: ChainReachOptions;
  readonly #timing: ReachTiming;
  readonly #head: HeadWatch;
  readonly #pace = new BlockPace();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #isReached = true;
  /** True once the locks were released since the chain was lost. */
  #isReleased = false;
  #wasMoving = true;
  #answeredAtMs = performance.now();
  #failureCount = 0;
  #hash: string | null = null;

  constructor(options: ChainReachOptions) {
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
    this.#head = new HeadWatch(options.limits.maxHeadAgeMs);
    options.metrics.chainReach.set(1);
    this.#running = this.#watch();
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  /** Current faults of the chain as this process observes it; empty without any. */
  get problems(): readonly ChainProblem[] {
    const { headAgeMs, leadMs, isCurrent } = this.#headState;
    const { sending, limits } = this.#options;
    return [
      ...(this.#isReached && headAgeMs !== null ? [] : (['chain_unreachable'] as const)),
      ...(isCurrent || headAgeMs === null || leadMs > 0 ? [] : (['head_too_old'] as const)),
      ...(isCurrent || leadMs === 0 ? [] : (['clock_ahead'] as const)),
      ...sendingProblemsOf(sending(), limits),
    ];
  }

  /** Return the state for the heartbeat. */
  report(): ChainReport {
    const { headAgeMs, leadMs } = this.#headState;
    const { nonceAgeMs, refusal, coin } = this.#options.sending();
    const sending = { nonceAgeMs, refusal, coin: coin && coinReportOf(coin) };
    return { headAgeMs, leadMs, ...sending, problems: [...this.problems] };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  get #headState(): HeadState {
    return this.#head.state(this.#instant());
  }

  #instant() {
    return { nowMs: this.#options.clock.nowMs(), atMs: performance.now() };
  }

  async #watch(): Promise<void> {
    const { intervalMs } = this.#timing;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#poll();
      this.#measure();
      const dueInMs = this.#failureCount > 0 ? 0 : this.#pace.dueInMs(performance.now());
      await delay(Math.max(intervalMs, dueInMs), null, { signal }).catch(() => null);
    }
  }

  async #poll(): Promise<void> {
    const { readHead, onHead, logger, metrics } = this.#options;
    const block = await readHead().catch(() => null);
    if (block !== null) {
      this.#head.observe(Number(block.timestamp) * 1_000, this.#instant());
      this.#answeredAtMs = performance.now();
      const last = { blockNumber: block.number, timeSeconds: Number(block.timestamp) };
      this.#pace.observe(last, this.#answeredAtMs);
      this.#failureCount = 0;
      if (!this.#isReached) logger.warn('chain answers again');
      this.#isReached = true;
      this.#isReleased = false;
      metrics.chainReach.set(1);
      if (block.hash !== this.#hash) onHead();
      this.#hash = block.hash;
      return;
    }
    this.#failureCount += 1;
    const silentMs = performance.now() - this.#answeredAtMs;
    const isLost = this.#failureCount >= lostAfterFailures && silentMs >= this.#timing.lostAfterMs;
    if (!isLost) return;
    if (this.#isReached) logger.error({ silentMs }, 'chain unreachable: no work started');
    this.#isReached = false;
    metrics.chainReach.set(0);
    await this.#release(silentMs);
  }

  async #release(silentMs: number): Promise<void> {
    if (this.#isReleased) return;
    const { isFollowed, onLost, logger } = this.#options;
    try {
      if (silentMs < this.#timing.releaseAfterMs && !(await isFollowed())) return;
      this.#isReleased = true;
      await onLost();
      logger.error({ silentMs }, 'chain unreachable: locks released');
    } catch (err) {
      logger.error({ err }, 'lock release failed');
    }
  }

  #measure(): void {
    const { metrics, logger, sending } = this.#options;
    const { headAgeMs, leadMs } = this.#headState;
    if (headAgeMs !== null) metrics.headAge.set(headAgeMs / 1_000);
    metrics.chainLead.set(leadMs / 1_000);
    metrics.nonceAge.set(sending().nonceAgeMs / 1_000);
    const { problems } = this;
    const isMoving = problems.length === 0;
    if (isMoving === this.#wasMoving) return;
    this.#wasMoving = isMoving;
    if (isMoving) logger.warn('chain works again');
    else logger.error({ ...this.report() }, 'chain or own transactions do not advance: no quotes');
  }
}
