/** What scenarios have done to the whole venue. Times are the venue's clock. */
export class VenueOutages {
  #restartUntilMs = 0;
  #throttle = { untilMs: 0, scope: 'all' as 'all' | 'orders' };

  restart(untilMs: number): void {
    this.#restartUntilMs = untilMs;
  }

  throttle(untilMs: number, scope: 'all' | 'orders'): void {
    this.#throttle = { untilMs, scope };
  }

  calm(): void {
    this.#restartUntilMs = 0;
    this.#throttle = { untilMs: 0, scope: 'all' };
  }

  /** The engine is restarting: everything about orders answers 425. */
  isRestartingAt(nowMs: number): boolean {
    return nowMs < this.#restartUntilMs;
  }

  isThrottledAt(nowMs: number, what: 'orders' | 'reads'): boolean {
    return nowMs < this.#throttle.untilMs && (this.#throttle.scope === 'all' || what === 'orders');
  }
}
