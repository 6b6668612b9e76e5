import { type PricePips, pricePips } from '@core/pricing';

/** Windows of a token's history. */
export interface StatisticsConfig {
  readonly varianceHalfLifeMs: number;
  /** Spacing of the increments whose squares are averaged: the row width the policy was fitted on. */
  readonly varianceIntervalMs: number;
  readonly minPricePips: PricePips;
  readonly maxPricePips: PricePips;
  readonly minimumBidsWindowMs: number;
  readonly minimumBidsBucketMs: number;
  /** Minimum distance between every second mid of the history. */
  readonly midSpacingMs: number;
  /** Older mids are dropped; no shorter than the window of the average. */
  readonly midWindowMs: number;
}

/** Age of a live book, and the window of the time-weighted average. */
export interface ObservationAges {
  readonly maxBookAgeMs: number;
  readonly twapWindowMs: number;
  readonly twapMinimumSampleCount: number;
  /** Minimum time between the first and the last sample. */
  readonly twapMinimumSpanMs: number;
}

/** Every number by which a market is observed. The policy's configuration contains it. */
export interface ObservationConfig {
  readonly ages: ObservationAges;
  readonly statistics: StatisticsConfig;
}

/** Defaults of the observation; an environment may override parts of them through the policy. */
export const observationDefaults: ObservationConfig = {
  ages: {
    // The vault takes attestations of 30 s; the data of one has to be younger than the moves it guards against.
    maxBookAgeMs: 5_000,
    // The average keeps one wild print from setting the mark of an opening; it needs samples that cover some time.
    twapWindowMs: 30_000,
    twapMinimumSampleCount: 3,
    twapMinimumSpanMs: 2_000,
  },
  statistics: {
    // Short enough to forget one event, long enough to remember that a market has become volatile.
    varianceHalfLifeMs: 480_000,
    varianceIntervalMs: 60_000,
    // Near 0 and 1 a cent is worth whole units of log odds: unclamped, one tick would close every side.
    minPricePips: pricePips(100n),
    maxPricePips: pricePips(9_900n),
    // The thinnest moment of the window counts, in buckets so that the history stays small.
    minimumBidsWindowMs: 300_000,
    minimumBidsBucketMs: 10_000,
    midSpacingMs: 1_000,
    midWindowMs: 300_000,
  },
};
