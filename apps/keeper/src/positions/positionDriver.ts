import { Fault } from '@core/errors';
import type { Position } from '@core/position';
import { marketShareOf } from '@core/runtime';
import type { Lease, MarketStore, PositionStore } from '@core/store';
import type { Logger } from 'pino';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import type { AdvancePosition } from './advancePosition.ts';
import { Waits } from './waits.ts';
import { isForced, type Work, WorkQueue } from './workQueue.ts';

/**
 * Positions worked on at the same time: transactions leave one by one anyway, the rest of the work is waiting for
 * answers. What users wait for never takes the places of debts that are due, and takes few while one is being sold:
 * its steps share processors, chain, price signers and venue with theirs.
 */
const maxConcurrent = 16;
const maxUnforced = 8;
const maxUnforcedBesideForced = 1;
/** A sale is under way for so long after a step of it: the venue matches and settles between two of them. */
const forcedForMs = 500;
/** Actions of one step: an authorisation, its order, its end. Then others have their turn. */
const maxActions = 3;
/** Work that waits and none that ended for so long: whatever the positions wait for, this process is stuck. */
const stuckAfterMs = 15_000;

export interface DriverOptions {
  readonly advance: AdvancePosition;
  readonly positions: Pick<PositionStore, 'byKey'>;
  readonly markets: Pick<MarketStore, 'byId'>;
  /** The lease under which a position of that market may be worked on now; null while another keeper may. */
  readonly leaseOf: (marketId: string | null) => Lease | null;
  /** Whether an open position owes something that is due: any other open one is left alone. */
  readonly isDue: (positionKey: string) => boolean;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'unwindAlerts'>;
}

/**
 * Takes positions forward, each by one step at a time, the most urgent first, whichever task asks; and knows which of
 * them wait. No task waits for it: a step that is slow holds up one place and no round.
 */
export class PositionDriver {
  readonly #options: DriverOptions;
  readonly #waits = new Waits();
  readonly #queue = new WorkQueue();
  /** Steps under way, by position, and what was asked for meanwhile. */
  readonly #running = new Map<string, { readonly marketId: string | null; readonly ended: Promise<void> }>();
  readonly #again = new Map<string, Work>();
  #unforcedCount = 0;
  #forcedEndedAtMs = -Infinity;
  #failures: unknown[] = [];
  #endedAtMs = performance.now();
  #isStopping = false;

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /** True until the time at which the last look said to look again. */
  isWaiting(positionKey: string): boolean {
    return this.#waits.isWaiting(positionKey, performance.now());
  }

  /** Whether a step is under way in a market of the share. */
  isBusyIn(share: number): boolean {
    const markets = [...this.#running.values()].map(({ marketId }) => marketId);
    return markets.some((marketId) => marketId !== null && marketShareOf(marketId) === share);
  }

  /**
   * Puts positions in line for a step, each under the lease of its market's share, and returns at once; what another
   * keeper holds is left to that one. @throws AggregateError with what failed since the last call; Fault when work
   * waits and none of it ends.
   */
  enqueue(work: readonly Work[]): void {
    if (this.#queue.size === 0 && this.#running.size === 0) this.#endedAtMs = performance.now();
    for (const one of work) this.#put(one);
    this.#fill();
    const failures = this.#failures;
    this.#failures = [];
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} positions could not be advanced`);
    if (this.#queue.size > 0 && performance.now() - this.#endedAtMs > stuckAfterMs) {
      const message = `${this.#queue.size} positions wait and no step ends`;
      throw new Fault({ origin: 'chain', kind: 'retryable', message });
    }
  }

  /** Starts no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#queue.clear();
    this.#again.clear();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #put(work: Work): void {
    if (this.#running.has(work.positionKey)) this.#again.set(work.positionKey, work);
    else this.#queue.put(work);
  }

  #fill(): void {
    while (!this.#isStopping && this.#running.size < maxConcurrent) {
      const unforced = this.#isSelling ? maxUnforcedBesideForced : maxUnforced;
      const work = this.#queue.take((urgency) => isForced(urgency) || this.#unforcedCount < unforced);
      if (work === null) return;
      // The keeper that has the share of its market finds the same work.
      if (this.#options.leaseOf(work.marketId) !== null) this.#start(work);
    }
  }

  /** Whether the debt of some position is being repaid by a sale just now. */
  get #isSelling(): boolean {
    return this.#running.size > this.#unforcedCount || performance.now() - this.#forcedEndedAtMs < forcedForMs;
  }

  #start(work: Work): void {
    const { positionKey, marketId, urgency } = work;
    const place = isForced(urgency) ? 0 : 1;
    this.#unforcedCount += place;
    const ended = this.#step(work)
      .catch((error: unknown) => {
        this.#failures.push(error);
      })
      .finally(() => {
        this.#endedAtMs = performance.now();
        this.#running.delete(positionKey);
        this.#unforcedCount -= place;
        if (isForced(urgency)) this.#forcedEndedAtMs = this.#endedAtMs;
        const again = this.#again.get(positionKey);
        this.#again.delete(positionKey);
        if (again !== undefined && !this.#isStopping) this.#queue.put(again);
        this.#fill();
      });
    this.#running.set(positionKey, { marketId, ended });
  }

  /**
   * As far as the position goes at once: what has begun ends sooner than everything would be begun. What users wait for
   * goes one action at a time while a debt is being repaid.
   */
  async #step({ positionKey, marketId, urgency }: Work): Promise<void> {
    const { positions, leaseOf, isDue } = this.#options;
    for (let action = 0; action < maxActions; action += 1) {
      const lease = leaseOf(marketId);
      if (lease === null) return;
      if (action > 0 && this.#isSelling && !isForced(urgency)) return;
      const record = await positions.byKey(positionKey);
      if (record === null || record.frozenReason !== null) return;
      if (record.status === 'open' && action === 0 && !isDue(positionKey)) return;
      if (!(await this.#advance(record, lease))) return;
    }
  }

  /** True when something was done, so that there may be more to do. */
  async #advance(record: Position, lease: Lease): Promise<boolean> {
    const { advance, markets, logger, metrics } = this.#options;
    const { positionKey, marketId } = record;
    const market = marketId === null ? null : await markets.byId(marketId);
    const pause = market === null ? null : await advance(record, market, lease);
    if (pause === null || pause.durationMs === 0) {
      this.#waits.forget(positionKey);
      return pause === null && market !== null;
    }
    const isNew = this.#waits.note(positionKey, pause, performance.now());
    if (!isNew) return false;
    if (pause.isAlert) metrics.unwindAlerts.inc();
    logger[pause.isAlert ? 'error' : 'info']({ positionKey, ...pause }, 'position waits');
    return false;
  }
}
