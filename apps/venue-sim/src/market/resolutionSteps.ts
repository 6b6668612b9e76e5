import type { MarketStage, Resolution, SimMarket } from './simMarket.ts';

/** Pauses of the oracle after the end of trading, on the venue's clock. */
export interface OracleTimes {
  readonly requestMs: number;
  readonly proposeMs: number;
  /** Time in which a proposal can be disputed before it becomes final. */
  readonly livenessMs: number;
}

/** Resolution schedule of one market: the steps due now. */
export class ResolutionSteps {
  readonly #market: SimMarket;
  readonly #times: OracleTimes;
  #endedMs: number | null = null;
  #proposedMs: number | null = null;
  #disputedUntilMs: number | null = null;
  #isReporting = false;

  constructor(market: SimMarket, times: OracleTimes) {
    this.#market = market;
    this.#times = times;
  }

  /** Return true once the payout report has started. */
  get isReporting(): boolean {
    return this.#isReporting;
  }

  /** End trading. */
  end(endedMs: number): void {
    if (this.#endedMs !== null) return;
    this.#endedMs = endedMs;
    this.#market.stage = 'ended';
  }

  /** Propose an outcome instead of the world's own. */
  propose(outcome: Resolution, nowMs: number): void {
    this.end(nowMs);
    this.#market.proposed = outcome;
    this.#market.stage = 'proposed';
    this.#proposedMs = nowMs;
    this.#disputedUntilMs = null;
  }

  dispute(untilMs: number): void {
    this.#market.stage = 'disputed';
    this.#disputedUntilMs = untilMs;
  }

  /** Dispute the proposal: the outcome is inverted and the dispute period restarts. */
  flip(nowMs: number): void {
    const { proposed } = this.#market;
    if (proposed === null || proposed === 'void') return;
    const isDisputed = this.#market.stage === 'disputed';
    const untilMs = this.#disputedUntilMs;
    this.propose(proposed === 0 ? 1 : 0, nowMs);
    if (isDisputed && untilMs !== null) this.dispute(untilMs);
  }

  /**
   * Advance through all steps that are due.
   *
   * @returns The outcome to report now, once; null otherwise.
   */
  advance(nowMs: number, worldOutcome: Resolution | null): Resolution | null {
    if (this.#endedMs === null || this.#isReporting) return null;
    let before: MarketStage | null = null;
    while (before !== this.#market.stage) {
      before = this.#market.stage;
      this.#step({ endedMs: this.#endedMs, nowMs, worldOutcome });
    }
    const { stage, proposed } = this.#market;
    const isFinal =
      stage === 'proposed' && this.#proposedMs !== null && nowMs >= this.#proposedMs + this.#times.livenessMs;
    if (!isFinal || proposed === null) return null;
    this.#isReporting = true;
    return proposed;
  }

  /** Report immediately, regardless of the schedule. */
  reportNow(outcome: Resolution, nowMs: number): Resolution {
    this.propose(outcome, nowMs);
    this.#isReporting = true;
    return outcome;
  }

  /** Record a failed report, which is retried. */
  reportFailed(): void {
    this.#isReporting = false;
  }

  #step(now: { readonly endedMs: number; readonly nowMs: number; readonly worldOutcome: Resolution | null }): void {
    const { endedMs, nowMs, worldOutcome } = now;
    const market = this.#market;
    if (market.stage === 'ended' && nowMs >= endedMs + this.#times.requestMs) {
      market.stage = 'requested';
    } else if (market.stage === 'requested' && nowMs >= endedMs + this.#times.proposeMs && worldOutcome !== null) {
      this.propose(worldOutcome, endedMs + this.#times.proposeMs);
    } else if (market.stage === 'disputed' && this.#disputedUntilMs !== null && nowMs >= this.#disputedUntilMs) {
      if (market.proposed !== null) this.propose(market.proposed, this.#disputedUntilMs);
    }
  }
}
