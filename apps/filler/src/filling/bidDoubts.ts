/** Pauses between two attempts to sell where bids were missing; the pause doubles with each. */
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** Time after a pause in which the next attempt comes. Without one the doubt ends. */
const attemptMs = 5_000;

/**
 * Markets in which bids did not take what they showed. Each doubt ends by itself: only another failed sale prolongs it.
 * See apps/filler/DECISIONS.md#doubted-bids-close-a-market-to-openings-alone.
 */
export class BidDoubts {
  readonly #now: () => number;
  readonly #doubts = new Map<string, { readonly pauseMs: number; readonly endsAtMs: number }>();

  /** @param now Monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Return true while no sale is tried in a market. */
  isPaused(conditionId: string): boolean {
    return this.#now() < (this.#current(conditionId)?.endsAtMs ?? Number.NEGATIVE_INFINITY);
  }

  /** Return true for a market whose bids are doubted. */
  has(conditionId: string): boolean {
    return this.#current(conditionId) !== null;
  }

  /** Number of markets whose bids are doubted. */
  get count(): number {
    return [...this.#doubts.keys()].filter((conditionId) => this.has(conditionId)).length;
  }

  /** Record a sale in which bids did not take what they showed. */
  record(conditionId: string): void {
    const pauseMs = Math.min(longestPauseMs, 2 * (this.#current(conditionId)?.pauseMs ?? firstPauseMs / 2));
    this.#doubts.set(conditionId, { pauseMs, endsAtMs: this.#now() + pauseMs });
  }

  /** End the doubt: bids took something, or nothing is left that they could take. */
  forget(conditionId: string): void {
    this.#doubts.delete(conditionId);
  }

  #current(conditionId: string) {
    const doubt = this.#doubts.get(conditionId);
    if (doubt === undefined) return null;
    if (this.#now() < doubt.endsAtMs + attemptMs) return doubt;
    this.#doubts.delete(conditionId);
    return null;
  }
}
