import { Fault } from '@core/errors';
import type { MarketShare } from '@core/runtime';
import type { Lease } from '@core/store';
import { isVenueFault } from '@core/venue';
import type { Logger } from 'pino';
import { failureKindOf } from '../runner/failureKind.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import type { DuePositions } from './duePositions.ts';
import { defaultStepTiming, RunningSteps, type StepTiming } from './runningSteps.ts';
import type { PositionStep, StepResult } from './step.ts';
import { isForced, type Work, WorkQueue } from './workQueue.ts';

/**
 * Concurrent steps. Transactions leave one by one anyway, and the rest of a step awaits answers. Users' requests never
 * use the slots of due debts, and few slots while a debt is being sold: their steps share processors, chain, price
 * signers and venue.
 */
const maxConcurrent = 40;
const maxUnforced = 8;
const maxUnforcedBesideForced = 1;
/** Time after a step for which its sale counts as running: the venue matches and settles between two steps. */
const forcedForMs = 500;
/** Actions of one step: an authorisation, its order, its end. Then others run. */
const maxActions = 3;
/** Time without a finished step, while work waits, after which the process is stuck. */
const stuckAfterMs = 15_000;
/** Number of overdue steps, with none finished since, that means a common cause. */
const stuckOverdueCount = maxUnforced;
/** Longest pause for a venue's `Retry-After`: the windows of the vault's orders have this length. */
const longestRetryAfterMs = 60_000;
/** Consecutive failures from which a transient one is logged as an error. */
const alertCount = 5;

export interface DriverOptions {
  readonly step: Pick<PositionStep, 'run'>;
  /** Record of waits and failures. */
  readonly due: Pick<DuePositions, 'recordWait' | 'recordSuccess' | 'recordFailure' | 'failingCount' | 'isWaiting'>;
  /** Return the lease for a step in that market; null while another keeper has it. */
  readonly leaseOf: (marketId: string) => Lease | null;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'unwindAlerts' | 'positionFailures' | 'failingPositions' | 'overdueSteps'>;
  readonly timing?: StepTiming;
}

/**
 * Scheduler of steps: one step per position at a time, the most urgent first, for every task; it also stores their
 * waits. No task awaits it, and no position another: a slow step gives up its slot, and a failing one is counted,
 * logged and retried after a pause of its own.
 */
export class PositionDriver {
  readonly #options: DriverOptions;
  readonly #queue = new WorkQueue();
  readonly #running: RunningSteps;
  /** Work enqueued during a running step of its position. */
  readonly #again = new Map<string, Work>();
  #forcedEndedAtMs = -Infinity;
  #endedAtMs = performance.now();
  #isStopping = false;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#running = new RunningSteps(options.timing ?? defaultStepTiming, {
      onSlot: () => this.#fill(),
      onEnd: (work, error) => this.#end(work, error),
    });
  }

  /** Return true while a step is running in a market of the share. */
  isBusyIn(share: MarketShare): boolean {
    return this.#running.isBusyIn(share);
  }

  /**
   * Enqueue positions for a step, each under the lease of its market's share, and return at once; positions of other
   * keepers are skipped. A failing position is no failure of the caller.
   * @throws Fault when the driver itself is stuck: work waits, or many steps are overdue, and none of them ends.
   */
  enqueue(work: readonly Work[]): void {
    if (this.#queue.size === 0 && this.#running.size === 0) this.#endedAtMs = performance.now();
    for (const one of work) this.#put(one);
    this.#fill();
    this.#measure();
    const isBlocked = this.#queue.size > 0 || this.#running.overdueCount >= stuckOverdueCount;
    if (isBlocked && performance.now() - this.#endedAtMs > stuckAfterMs) {
      const message = `${this.#queue.size} positions wait, ${this.#running.size} steps are running and none ends`;
      throw new Fault({ origin: 'chain', kind: 'retryable', message });
    }
  }

  /** Start no more steps, and await those with a slot. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#queue.clear();
    this.#again.clear();
    await this.#running.settle();
  }

  #put(work: Work): void {
    const { positionKey } = work;
    if (!this.#running.has(positionKey)) return this.#queue.put(work);
    const isWoken = work.isWoken || this.#again.get(positionKey)?.isWoken === true;
    this.#again.set(positionKey, { ...work, isWoken });
  }

  #fill(): void {
    while (!this.#isStopping && this.#running.slots.all < maxConcurrent) {
      const maxWaiting = this.#isSelling ? maxUnforcedBesideForced : maxUnforced;
      const { unforced } = this.#running.slots;
      const work = this.#queue.take((reason) => isForced(reason) || unforced < maxWaiting);
      if (work === null) return;
      // The keeper with the share of its market has the same work.
      if (this.#options.leaseOf(work.marketId) !== null) {
        this.#running.start(work, (hasSlot) => this.#step(work, hasSlot));
      }
    }
  }

  /** Return true while the debt of some position is being repaid by a sale. */
  get #isSelling(): boolean {
    const { all, unforced } = this.#running.slots;
    return all > unforced || performance.now() - this.#forcedEndedAtMs < forcedForMs;
  }

  #end(work: Work, error: unknown): void {
    const { positionKey, reason } = work;
    this.#endedAtMs = performance.now();
    if (isForced(reason)) this.#forcedEndedAtMs = this.#endedAtMs;
    if (error === null) this.#options.due.recordSuccess(positionKey);
    else this.#fail(work, error);
    const again = this.#again.get(positionKey);
    this.#again.delete(positionKey);
    if (again === undefined || this.#isStopping) return;
    // A poll during the step knew nothing of its wait.
    if (again.isWoken || !this.#options.due.isWaiting(positionKey)) this.#queue.put(again);
  }

  /** Count, log and postpone a failing position, for at least the venue's `Retry-After`. */
  #fail({ positionKey, reason, sinceMs }: Work, error: unknown): void {
    const { due, logger, metrics } = this.#options;
    const kind = failureKindOf(error);
    metrics.positionFailures.inc({ kind });
    // The keeper with the share of its market advances it.
    if (kind === 'lease_lost') return;
    const retryAfterMs = isVenueFault(error) ? (error.retryAfterMs ?? 0) : 0;
    const pauseMs = Math.min(longestRetryAfterMs, retryAfterMs);
    const count = due.recordFailure(positionKey, pauseMs);
    const level = kind === 'retryable' && count < alertCount ? 'warn' : 'error';
    logger[level]({ err: error, positionKey, reason, sinceMs, kind, count }, 'position step failed');
  }

  #measure(): void {
    const { due, metrics } = this.#options;
    metrics.failingPositions.set(due.failingCount);
    metrics.overdueSteps.set(this.#running.overdueCount);
  }

  /**
   * Run the actions of one step: finishing begun work is faster than beginning all of it. User requests take one action
   * per step while a debt is being repaid.
   */
  async #step({ positionKey, marketId, reason }: Work, hasSlot: () => boolean): Promise<void> {
    const { step, leaseOf } = this.#options;
    for (let action = 0; action < maxActions && hasSlot(); action += 1) {
      const lease = leaseOf(marketId);
      if (lease === null) return;
      if (action > 0 && this.#isSelling && !isForced(reason)) return;
      const result = await step.run(positionKey, { lease, isFirst: action === 0 });
      this.#recordResult(positionKey, result);
      if (result !== 'advanced') return;
    }
  }

  #recordResult(positionKey: string, result: StepResult): void {
    const { due, logger, metrics } = this.#options;
    if (result === 'idle') return;
    const pause = result === 'advanced' || result.durationMs === 0 ? null : result;
    const isNew = due.recordWait(positionKey, pause);
    if (pause === null || !isNew) return;
    if (pause.isAlert) metrics.unwindAlerts.inc();
    logger[pause.isAlert ? 'error' : 'info']({ positionKey, ...pause }, 'position waits');
  }
}
