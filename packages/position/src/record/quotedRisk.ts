import type { LeverageBps, PricePips } from '@core/pricing';

/** A rung of a committed position's ladder, fixed when the quote was given. */
export interface PlannedUnwind {
  /** 1, 2, … from the highest trigger down. */
  readonly rung: number;
  /** The rung is due when the mark is at or below this price. */
  readonly triggerPricePips: PricePips;
  readonly targetLeverageBps: LeverageBps;
}

/** Terms of the debt's watch that a quote fixes, for as long as it is owed. */
export interface QuotedRisk {
  /** Time that a sale was expected to take when the quote was given: the cover of the debt rests on it. */
  readonly exitSeconds: number;
  /** Empty for adaptive positions. */
  readonly plannedUnwinds: readonly PlannedUnwind[];
  /** The quote signer's, over both and the position's key. */
  readonly signature: string;
}
