/** Kinds of rejection that an outage returns for every order. */
export type TradingStop = 'disabled' | 'cancel_only' | 'region' | 'closed_only';

/** Faults of the venue's own price socket: one price repeated, another price, or nothing. */
export type PriceFault = 'frozen' | 'wrong' | 'silent';

/** Effects of scenarios on the whole venue. Times are the venue's clock. */
export class VenueOutages {
  #restartUntilMs = 0;
  #postOnlyUntilMs = 0;
  #throttle: { readonly untilMs: number; readonly scope: 'all' | 'orders' } = { untilMs: 0, scope: 'all' };
  #prices: { readonly kind: PriceFault; readonly untilMs: number } | null = null;
  #stop: { readonly kind: TradingStop; readonly untilMs: number } | null = null;

  /** @param postOnlyUntilMs End of the post-only mode after the restart. */
  restart(untilMs: number, postOnlyUntilMs: number): void {
    this.#restartUntilMs = untilMs;
    this.#postOnlyUntilMs = postOnlyUntilMs;
  }

  throttle(untilMs: number, scope: 'all' | 'orders'): void {
    this.#throttle = { untilMs, scope };
  }

  stopTrading(untilMs: number, kind: TradingStop): void {
    this.#stop = { kind, untilMs };
  }

  breakPrices(untilMs: number, kind: PriceFault): void {
    this.#prices = { kind, untilMs };
  }

  /** Return the fault of the price socket at an instant; null without one. */
  priceFaultAt(nowMs: number): PriceFault | null {
    return this.#prices !== null && nowMs < this.#prices.untilMs ? this.#prices.kind : null;
  }

  calm(): void {
    this.#prices = null;
    this.#restartUntilMs = 0;
    this.#postOnlyUntilMs = 0;
    this.#throttle = { untilMs: 0, scope: 'all' };
    this.#stop = null;
  }

  /** Return true while the engine restarts: order requests are answered with 425. */
  isRestartingAt(nowMs: number): boolean {
    return nowMs < this.#restartUntilMs;
  }

  /** Return the seconds until the post-only mode ends, rounded up; 0 without it. */
  postOnlySecondsAt(nowMs: number): number {
    return this.isRestartingAt(nowMs) ? 0 : Math.max(0, Math.ceil((this.#postOnlyUntilMs - nowMs) / 1000));
  }

  isThrottledAt(nowMs: number, scope: 'orders' | 'reads'): boolean {
    return nowMs < this.#throttle.untilMs && (this.#throttle.scope === 'all' || scope === 'orders');
  }

  /** Return the halt of trading at an instant; null while orders are accepted. */
  stopAt(nowMs: number): TradingStop | null {
    return this.#stop !== null && nowMs < this.#stop.untilMs ? this.#stop.kind : null;
  }

  isClosedOnlyAt(nowMs: number): boolean {
    return this.stopAt(nowMs) === 'closed_only';
  }
}
