import type { PricePips, TokenUnits } from '@core/pricing';

export interface MidSample {
  readonly atMs: number;
  readonly pricePips: PricePips;
}

/** Tokens bid for within a distance from the best bid that no nearer step already counts. */
export interface DepthStep {
  readonly offsetPricePips: PricePips;
  readonly sizeTokenUnits: TokenUnits;
}

/** Smallest bid depth seen inside one bucket of time, at every distance from the best bid, nearest first. */
export interface DepthBucket {
  readonly startMs: number;
  readonly steps: readonly DepthStep[];
}

/** Decayed sums behind the realised variance. */
export interface VarianceState {
  /** Squares of logit increments, scaled by 1e12. */
  readonly sumSquaresE12: bigint;
  /** Seconds those increments cover, scaled by 1e12. */
  readonly sumSecondsE12: bigint;
  readonly lastAtMs: number;
  readonly lastPricePips: PricePips;
}

/** History of one token, folded from book samples by `recordSample`: a plain value, safe to keep and compare. */
export interface TokenStatistics {
  /** Mids over the longest window needed, oldest first. */
  readonly mids: readonly MidSample[];
  /** Null until the first mid. */
  readonly variance: VarianceState | null;
  /** Oldest first. */
  readonly depthBuckets: readonly DepthBucket[];
}

/** A token that was never seen. */
export const emptyStatistics: TokenStatistics = { mids: [], variance: null, depthBuckets: [] };
