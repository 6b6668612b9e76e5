import { Fault } from '@core/errors';
import { isOverlapping, type MarketShare, marketShareOf } from '@core/runtime';
import { isForced, type Work } from './workQueue.ts';

export interface StepTiming {
  /** Time for which a step counts among the concurrent ones. */
  readonly slotMs: number;
  /** Time after which an unfinished step counts as failed. */
  readonly deadlineMs: number;
}

/**
 * Default limits. A step usually awaits blocks and answers for a few seconds. The longest one that may still succeed
 * awaits a receipt and a venue answer, each with its own limit, and takes less than two minutes.
 */
export const defaultStepTiming: StepTiming = { slotMs: 5_000, deadlineMs: 120_000 };

interface Step {
  readonly marketId: string;
  readonly isForced: boolean;
  /** Resolved when the step ends, or at its deadline. */
  readonly ended: Promise<void>;
  hasSlot: boolean;
}

/** Run one step of a position. A step without a slot starts nothing further. */
export type RunStep = (hasSlot: () => boolean) => Promise<void>;

export interface StepEvents {
  /** Called when a slot becomes free, after `onEnd` at the end of a step. */
  readonly onSlot: () => void;
  /** Called once for each step; the error is null when it ended well. */
  readonly onEnd: (work: Work, error: unknown) => void;
}

/**
 * Running steps, at most one per position. A slow step gives up its slot after a while, and one that never ends counts
 * as failed at its deadline: its later effects happen once, as after a crash.
 */
export class RunningSteps {
  readonly #timing: StepTiming;
  readonly #events: StepEvents;
  readonly #steps = new Map<string, Step>();

  constructor(timing: StepTiming, events: StepEvents) {
    this.#timing = timing;
    this.#events = events;
  }

  get size(): number {
    return this.#steps.size;
  }

  /** Return the number of steps with a slot: all of them, and the unforced ones. */
  get slots(): { readonly all: number; readonly unforced: number } {
    const withSlot = [...this.#steps.values()].filter(({ hasSlot }) => hasSlot);
    return { all: withSlot.length, unforced: withSlot.filter((step) => !step.isForced).length };
  }

  /** Return the number of running steps without a slot. */
  get overdueCount(): number {
    return this.#steps.size - this.slots.all;
  }

  has(positionKey: string): boolean {
    return this.#steps.has(positionKey);
  }

  /** Return true while a step with a slot is running in a market of the share. */
  isBusyIn(share: MarketShare): boolean {
    const withSlot = [...this.#steps.values()].filter(({ hasSlot }) => hasSlot);
    return withSlot.some(({ marketId }) => isOverlapping(marketShareOf(marketId, share.shareCount), share));
  }

  start(work: Work, run: RunStep): void {
    const { positionKey, marketId, reason } = work;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const step: Step = { marketId, isForced: isForced(reason), ended, hasSlot: true };
    this.#steps.set(positionKey, step);
    const isCurrent = (): boolean => this.#steps.get(positionKey) === step;
    const end = (error: unknown): void => {
      clearTimeout(slotTimer);
      clearTimeout(deadlineTimer);
      if (!isCurrent()) return;
      this.#steps.delete(positionKey);
      this.#events.onEnd(work, error);
      this.#events.onSlot();
      resolve();
    };
    const slotTimer = setTimeout(() => {
      step.hasSlot = false;
      this.#events.onSlot();
    }, this.#timing.slotMs);
    const deadlineTimer = setTimeout(() => end(this.#deadlineFault()), this.#timing.deadlineMs);
    run(() => isCurrent() && step.hasSlot).then(() => end(null), end);
  }

  /** Wait until no step has a slot: the next process resumes the others. */
  async settle(): Promise<void> {
    const withSlot = [...this.#steps.values()].filter(({ hasSlot }) => hasSlot);
    const slotOver = Promise.withResolvers<void>();
    const timer = setTimeout(slotOver.resolve, this.#timing.slotMs);
    await Promise.race([Promise.all(withSlot.map(({ ended }) => ended)), slotOver.promise]);
    clearTimeout(timer);
  }

  #deadlineFault(): Fault {
    const message = `the step did not end within ${this.#timing.deadlineMs} ms`;
    return new Fault({ origin: 'chain', kind: 'retryable', message });
  }
}
