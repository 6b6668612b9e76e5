/** A shift of the fair price that is ramped up, held and faded out. */
interface PriceShift {
  readonly fromMs: number;
  readonly rampMs: number;
  readonly holdMs: number;
  readonly fadeMs: number;
  /** Added to the fair price of YES at full strength, dollars. */
  readonly dollars: number;
}

/** What scenarios have done to one market. Times are the venue's clock; an effect whose time is over is gone. */
export class MarketEffects {
  #shifts: PriceShift[] = [];
  #spread = { untilMs: 0, extraHalfSpreadPips: 0n };
  #drain = { untilMs: 0, bidShare: 1, askShare: 1 };
  #stormUntilMs = 0;
  #frozenUntilMs = 0;
  #staleUntilMs = 0;
  #slowSettle = { untilMs: 0, delayMs: 0 };
  #ghost = { remaining: 0, retries: 0 };
  #partial = { remaining: 0, fillPct: 100 };

  shift(shift: PriceShift): void {
    this.#shifts.push(shift);
  }

  spread(untilMs: number, extraHalfSpreadPips: bigint): void {
    this.#spread = { untilMs, extraHalfSpreadPips };
  }

  drain(untilMs: number, shares: { readonly bidShare: number; readonly askShare: number }): void {
    this.#drain = { untilMs, ...shares };
  }

  storm(untilMs: number): void {
    this.#stormUntilMs = untilMs;
  }

  freeze(untilMs: number): void {
    this.#frozenUntilMs = untilMs;
  }

  stale(untilMs: number): void {
    this.#staleUntilMs = untilMs;
  }

  slowSettle(untilMs: number, delayMs: number): void {
    this.#slowSettle = { untilMs, delayMs };
  }

  armGhosts(count: number, retries: number): void {
    this.#ghost = { remaining: count, retries };
  }

  armPartials(count: number, fillPct: number): void {
    this.#partial = { remaining: count, fillPct };
  }

  /** Ends everything at once. */
  calm(): void {
    this.#shifts = [];
    this.#spread = { untilMs: 0, extraHalfSpreadPips: 0n };
    this.#drain = { untilMs: 0, bidShare: 1, askShare: 1 };
    this.#stormUntilMs = 0;
    this.#frozenUntilMs = 0;
    this.#staleUntilMs = 0;
    this.#slowSettle = { untilMs: 0, delayMs: 0 };
    this.#ghost = { remaining: 0, retries: 0 };
    this.#partial = { remaining: 0, fillPct: 100 };
  }

  /** Sum of all shifts now, dollars. */
  shiftAt(nowMs: number): number {
    this.#shifts = this.#shifts.filter((one) => nowMs < one.fromMs + one.rampMs + one.holdMs + one.fadeMs);
    return this.#shifts.reduce((sum, one) => {
      const age = nowMs - one.fromMs;
      const rising = one.rampMs === 0 ? 1 : Math.min(1, age / one.rampMs);
      const afterHold = age - one.rampMs - one.holdMs;
      const falling = afterHold <= 0 ? 1 : 1 - afterHold / one.fadeMs;
      return sum + one.dollars * rising * falling;
    }, 0);
  }

  ladderAt(nowMs: number): {
    readonly extraHalfSpreadPips: bigint;
    readonly bidShare: number;
    readonly askShare: number;
  } {
    const isDrained = nowMs < this.#drain.untilMs;
    return {
      extraHalfSpreadPips: nowMs < this.#spread.untilMs ? this.#spread.extraHalfSpreadPips : 0n,
      bidShare: isDrained ? this.#drain.bidShare : 1,
      askShare: isDrained ? this.#drain.askShare : 1,
    };
  }

  isStormyAt(nowMs: number): boolean {
    return nowMs < this.#stormUntilMs;
  }

  /** Sockets say nothing about the market; REST still does. */
  isFrozenAt(nowMs: number): boolean {
    return nowMs < this.#frozenUntilMs;
  }

  /** The book does not move at all, on no channel. */
  isStaleAt(nowMs: number): boolean {
    return nowMs < this.#staleUntilMs;
  }

  settleDelayMsAt(nowMs: number): number {
    return nowMs < this.#slowSettle.untilMs ? this.#slowSettle.delayMs : 0;
  }

  /** Uses up one armed ghost fill; null when none is armed, else how often the match is retried before it fails. */
  takeGhost(): { readonly retries: number } | null {
    if (this.#ghost.remaining <= 0) return null;
    this.#ghost = { ...this.#ghost, remaining: this.#ghost.remaining - 1 };
    return { retries: this.#ghost.retries };
  }

  /** Uses up one armed partial match; null when none is armed. */
  takePartial(): { readonly fillPct: number } | null {
    if (this.#partial.remaining <= 0) return null;
    this.#partial = { ...this.#partial, remaining: this.#partial.remaining - 1 };
    return { fillPct: this.#partial.fillPct };
  }
}
