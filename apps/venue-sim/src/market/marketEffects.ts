/** Shift of the fair price with a ramp up, a hold and a fade out. */
interface PriceShift {
  readonly fromMs: number;
  readonly rampMs: number;
  readonly holdMs: number;
  readonly fadeMs: number;
  /** Added to the fair price of YES at full strength, dollars. */
  readonly dollars: number;
}

/** Effects of scenarios on one market, in the time of the venue's clock. Expired effects are deleted. */
export class MarketEffects {
  #shifts: PriceShift[] = [];
  #pin = { untilMs: 0, fair: 0 };
  #spread = { untilMs: 0, extraHalfSpreadPips: 0n };
  #drain = { untilMs: 0, bidShare: 1, askShare: 1 };
  #stormUntilMs = 0;
  #frozenUntilMs = 0;
  #staleUntilMs = 0;
  #unhashedUntilMs = 0;
  #slowSettle = { untilMs: 0, delayMs: 0 };
  #ghost = { remaining: 0, retries: 0 };
  #partial = { remaining: 0, fillPct: 100 };
  #quoted: { readonly untilMs: number; readonly outcome: 0 | 1 } | null = null;
  #makerFeesUntilMs = 0;
  #grossUntilMs = 0;
  #movedUntilMs = 0;
  #takerDelay = { untilMs: 0, delayMs: 0 };
  #oversold = { untilMs: 0, tokenUnits: 0n };

  shift(shift: PriceShift): void {
    this.#shifts.push(shift);
  }

  pin(untilMs: number, fair: number): void {
    this.#pin = { untilMs, fair };
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

  leaveOutHashes(untilMs: number): void {
    this.#unhashedUntilMs = untilMs;
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

  quoteOnly(untilMs: number, outcome: 0 | 1): void {
    this.#quoted = { untilMs, outcome };
  }

  chargeMakers(untilMs: number): void {
    this.#makerFeesUntilMs = untilMs;
  }

  takeGross(untilMs: number): void {
    this.#grossUntilMs = untilMs;
  }

  /** List the market under contracts of the other version. */
  moveVersion(untilMs: number): void {
    this.#movedUntilMs = untilMs;
  }

  delayTakers(untilMs: number, delayMs: number): void {
    this.#takerDelay = { untilMs, delayMs };
  }

  oversell(untilMs: number, tokenUnits: bigint): void {
    this.#oversold = { untilMs, tokenUnits };
  }

  /** End all effects immediately. */
  calm(): void {
    this.#shifts = [];
    this.#pin = { untilMs: 0, fair: 0 };
    this.#spread = { untilMs: 0, extraHalfSpreadPips: 0n };
    this.#drain = { untilMs: 0, bidShare: 1, askShare: 1 };
    this.#stormUntilMs = 0;
    this.#frozenUntilMs = 0;
    this.#staleUntilMs = 0;
    this.#unhashedUntilMs = 0;
    this.#slowSettle = { untilMs: 0, delayMs: 0 };
    this.#ghost = { remaining: 0, retries: 0 };
    this.#partial = { remaining: 0, fillPct: 100 };
    this.#quoted = null;
    this.#makerFeesUntilMs = 0;
    this.#grossUntilMs = 0;
    this.#movedUntilMs = 0;
    this.#takerDelay = { untilMs: 0, delayMs: 0 };
    this.#oversold = { untilMs: 0, tokenUnits: 0n };
  }

  /** Return the pinned fair price of YES in dollars, before shifts; null while the model sets it. */
  pinnedAt(nowMs: number): number | null {
    return nowMs < this.#pin.untilMs ? this.#pin.fair : null;
  }

  /** Return the sum of all current shifts in dollars. */
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

  /** Return true while the sockets are silent about the market. REST is unaffected. */
  isFrozenAt(nowMs: number): boolean {
    return nowMs < this.#frozenUntilMs;
  }

  /** Return true while the book is frozen on all channels. */
  isStaleAt(nowMs: number): boolean {
    return nowMs < this.#staleUntilMs;
  }

  /** Return true while the socket sends books without their hash. */
  isUnhashedAt(nowMs: number): boolean {
    return nowMs < this.#unhashedUntilMs;
  }

  /** Return the only token that makers quote; null when each quotes its own. */
  quotedOutcomeAt(nowMs: number): 0 | 1 | null {
    return this.#quoted !== null && nowMs < this.#quoted.untilMs ? this.#quoted.outcome : null;
  }

  /** Return true while makers pay the taker fee. */
  chargesMakersAt(nowMs: number): boolean {
    return nowMs < this.#makerFeesUntilMs;
  }

  /** Return true while the catalogue lists the market under contracts of the other version. */
  isMovedAt(nowMs: number): boolean {
    return nowMs < this.#movedUntilMs;
  }

  /** Return true while purchases pay their own limit price. */
  isGrossAt(nowMs: number): boolean {
    return nowMs < this.#grossUntilMs;
  }

  /** Return the tokens that makers take of a taker's sale, however small it is. */
  oversoldTokenUnitsAt(nowMs: number): bigint {
    return nowMs < this.#oversold.untilMs ? this.#oversold.tokenUnits : 0n;
  }

  /** Return the delay before an order that takes from the book is matched. */
  takerDelayMsAt(nowMs: number): number {
    return nowMs < this.#takerDelay.untilMs ? this.#takerDelay.delayMs : 0;
  }

  settleDelayMsAt(nowMs: number): number {
    return nowMs < this.#slowSettle.untilMs ? this.#slowSettle.delayMs : 0;
  }

  /** Consume one armed ghost fill and return its number of retries before failure; null when none is armed. */
  takeGhost(): { readonly retries: number } | null {
    if (this.#ghost.remaining <= 0) return null;
    this.#ghost = { ...this.#ghost, remaining: this.#ghost.remaining - 1 };
    return { retries: this.#ghost.retries };
  }

  /** Consume one armed partial match; null when none is armed. */
  takePartial(): { readonly fillPct: number } | null {
    if (this.#partial.remaining <= 0) return null;
    this.#partial = { ...this.#partial, remaining: this.#partial.remaining - 1 };
    return { fillPct: this.#partial.fillPct };
  }
}
