import type { BookLevel, PricePips } from '@core/pricing';

export interface MidSample {
  readonly atMs: number;
  readonly pricePips: PricePips;
}

/** Pointwise minimum of the cumulative bid depth seen inside one bucket of time. */
export interface BidBucket {
  readonly startMs: number;
  readonly minimumBids: readonly BookLevel[];
}

/** Decayed sums behind the realised variance; logits and their squares are scaled by 1e12. */
export interface VarianceState {
  readonly sumSquaresE12: bigint;
  /** Decayed time those squares cover, scaled by 1e12 per second. */
  readonly sumSecondsE12: bigint;
  readonly lastAtMs: number;
  readonly lastPricePips: PricePips;
}

/** History of one token, folded from book samples by `recordSample`; a plain value, safe to keep and compare. */
export interface TokenStatistics {
  /** Mids over the longest window needed, oldest first. */
  readonly mids: readonly MidSample[];
  readonly variance: VarianceState | null;
  /** Oldest first. */
  readonly bidBuckets: readonly BidBucket[];
}
