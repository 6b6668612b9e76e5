import { Fault } from '@core/errors';
import type { Logger } from 'pino';
import { Backoff, type BackoffOptions } from './backoff.ts';
import { failureKindOf } from './failureKind.ts';
import type { KeeperMetrics } from './keeperMetrics.ts';

export interface IsolationOptions {
  /** Name of the items in metrics and logs: a task, or a part of one. */
  readonly name: string;
  /** Pauses of an item that failed. */
  readonly pauses?: BackoffOptions;
  /** Items served concurrently. */
  readonly atOnce?: number;
  /** Longest time for which an item delays the round. */
  readonly slotMs?: number;
  /** Time after which an unfinished item counts as failed. */
  readonly deadlineMs?: number;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
}

/** Pauses by which a failing item finally costs one attempt per minute. */
const defaultPauses: BackoffOptions = { firstMs: 1_000, longestMs: 60_000 };
const defaultSlotMs = 5_000;
/** Longer than a request with all its retries, and than the wait for a receipt. */
const defaultDeadlineMs = 60_000;

/** Number of items without a slot that means a common cause instead of single hanging items. */
const stuckCount = 8;

/**
 * Isolation of the items of a loop. A failing item is counted, logged and postponed, a hanging one gives up its slot,
 * and neither stops another. Only a round in which every one of several items fails is itself a failure: then the items
 * are not the cause.
 */
export class IsolatedItems {
  readonly #options: IsolationOptions;
  readonly #failures: Backoff;
  /** Items without work yet. */
  readonly #postponed: Backoff;
  /** Items in progress, including those of earlier rounds. */
  readonly #running = new Set<string>();

  constructor(options: IsolationOptions) {
    this.#options = options;
    this.#failures = new Backoff(options.pauses ?? defaultPauses);
    this.#postponed = new Backoff(options.pauses ?? defaultPauses);
  }

  /** Return the items to skip now: in progress since an earlier round, or postponed. */
  get waiting(): readonly string[] {
    const nowMs = performance.now();
    return [...new Set([...this.#running, ...this.#failures.waiting(nowMs), ...this.#postponed.waiting(nowMs)])];
  }

  /** Return true while an item is to be skipped. */
  isWaiting(key: string): boolean {
    const nowMs = performance.now();
    const isPostponed = this.#failures.isWaiting(key, nowMs) || this.#postponed.isWaiting(key, nowMs);
    return isPostponed || this.#running.has(key);
  }

  /**
   * Serve every item that does not wait. Resolves when each has been served, has failed or has given up its slot.
   * @param serve Return false to postpone the item without a failure: there is nothing to do for it yet.
   * @throws AggregateError when several items were served and every one of them failed.
   * @throws Fault when many items are in progress without a slot.
   */
  async serve<Item>(
    items: readonly Item[],
    keyOf: (item: Item) => string,
    serve: (item: Item) => Promise<boolean>,
  ): Promise<void> {
    const { atOnce = 1 } = this.#options;
    const ready = items.filter((item) => !this.isWaiting(keyOf(item)));
    const failures: unknown[] = [];
    const slots = new Set<Promise<void>>();
    for (const item of ready) {
      while (slots.size >= atOnce) await Promise.race(slots);
      const slot = this.#start(keyOf(item), () => serve(item), failures).then(() => void slots.delete(slot));
      slots.add(slot);
    }
    await Promise.all(slots);
    this.#measure();
    if (this.#running.size >= stuckCount) {
      const message = `${this.#options.name}: ${this.#running.size} items are in progress and none ends`;
      throw new Fault({ origin: 'chain', kind: 'retryable', message });
    }
    if (ready.length > 1 && failures.length === ready.length) {
      throw new AggregateError(failures, `${this.#options.name}: all ${failures.length} items failed`);
    }
  }

  /**
   * Read data of one item; null when its read failed on its own.
   * @throws any transient failure: a round that continued without the item would miss it.
   */
  async read<Value>(key: string, read: () => Promise<Value>): Promise<Value | null> {
    try {
      return await read();
    } catch (error) {
      if (failureKindOf(error) === 'retryable') throw error;
      this.#fail(key, error);
      this.#measure();
      return null;
    }
  }

  /** Run the synchronous work of one item. Return false when it failed. */
  attempt(key: string, work: () => void): boolean {
    try {
      work();
      if (this.#failures.has(key)) {
        this.#failures.forget(key);
        this.#measure();
      }
      return true;
    } catch (error) {
      this.#fail(key, error);
      this.#measure();
      return false;
    }
  }

  /** Start one item. Resolves when it has ended or given up its slot. */
  #start(key: string, serve: () => Promise<boolean>, failures: unknown[]): Promise<void> {
    const { slotMs = defaultSlotMs, deadlineMs = defaultDeadlineMs } = this.#options;
    const slot = Promise.withResolvers<void>();
    this.#running.add(key);
    let isOver = false;
    const end = (outcome: { readonly isServed: boolean } | { readonly error: unknown }): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(slotTimer);
      clearTimeout(deadlineTimer);
      this.#running.delete(key);
      if ('error' in outcome) {
        failures.push(outcome.error);
        this.#fail(key, outcome.error);
      } else {
        this.#failures.forget(key);
        if (outcome.isServed) this.#postponed.forget(key);
        else this.#postponed.postpone(key, performance.now());
      }
      slot.resolve();
    };
    const slotTimer = setTimeout(slot.resolve, slotMs);
    const deadlineTimer = setTimeout(() => {
      const message = `${this.#options.name} did not end within ${deadlineMs} ms`;
      end({ error: new Fault({ origin: 'chain', kind: 'retryable', message }) });
    }, deadlineMs);
    Promise.resolve()
      .then(serve)
      .then(
        (isServed) => end({ isServed }),
        (error: unknown) => end({ error }),
      );
    return slot.promise;
  }

  #fail(key: string, error: unknown): void {
    const { name, logger, metrics } = this.#options;
    const kind = failureKindOf(error);
    metrics.itemFailures.inc({ name, kind });
    // The next round serves the item under a new lease, or another keeper does.
    if (kind === 'lease_lost') return;
    const count = this.#failures.postpone(key, performance.now());
    logger[kind === 'retryable' ? 'warn' : 'error']({ err: error, name, key, kind, count }, 'task item failed');
  }

  #measure(): void {
    const { name, metrics } = this.#options;
    const hangingCount = [...this.#running].filter((key) => !this.#failures.has(key)).length;
    metrics.failingItems.set({ name }, this.#failures.count(performance.now()) + hangingCount);
  }
}
