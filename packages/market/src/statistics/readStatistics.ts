import { type BookLevel, type OrderBook, pricePips, raw } from '@core/pricing';
import { oneE12 } from '../math/fixedPoint.ts';
import type { ObservationConfig, StatisticsConfig } from '../observation.ts';
import type { TimeWeightedPrice } from '../snapshot/marketSnapshot.ts';
import { levelsOfProfile, minimumProfileOf } from './depthProfile.ts';
import { isInsideWindow, squaredIncrementE12 } from './recordSample.ts';
import type { DepthBucket, DepthStep, TokenStatistics } from './tokenStatistics.ts';

/** The part of a `SideSnapshot` that comes from history. */
export interface SideStatistics {
  readonly twap: TimeWeightedPrice;
  readonly realisedVarianceE12: bigint | null;
  readonly minimumBids: readonly BookLevel[] | null;
}

/** Everything a `SideSnapshot` takes from the history of its token, at one moment. */
export function sideStatisticsOf(
  statistics: TokenStatistics,
  observed: { readonly nowMs: number; readonly book: OrderBook | null },
  config: ObservationConfig,
): SideStatistics {
  return {
    twap: twapOf(statistics, observed.nowMs, config),
    realisedVarianceE12: realisedVarianceOf(statistics, observed.nowMs, config.statistics),
    minimumBids:
      observed.book === null ? null : minimumBidsOf(statistics, { ...observed, book: observed.book }, config),
  };
}

/**
 * Average of the mids in the window, each weighted by the time it stood, rounded down. The price is null below the
 * required number of samples or span; a late last sample is the caller's to judge by its age.
 */
export function twapOf(statistics: TokenStatistics, nowMs: number, config: ObservationConfig): TimeWeightedPrice {
  const { twapWindowMs, twapMinimumSampleCount, twapMinimumSpanMs } = config.ages;
  const inside = statistics.mids.filter((mid) => mid.atMs > nowMs - twapWindowMs && mid.atMs <= nowMs);
  const first = inside[0];
  const last = inside.at(-1);
  const lastSampleAgeMs = statistics.mids.length === 0 ? null : nowMs - (statistics.mids.at(-1)?.atMs ?? nowMs);
  if (first === undefined || last === undefined || inside.length < twapMinimumSampleCount) {
    return { pricePips: null, sampleCount: inside.length, lastSampleAgeMs };
  }
  if (last.atMs - first.atMs < twapMinimumSpanMs) {
    return { pricePips: null, sampleCount: inside.length, lastSampleAgeMs };
  }
  // By time and not by count: many samples in one second must not outweigh a price that stood for ten.
  let weighted = 0n;
  inside.forEach((mid, index) => {
    const untilMs = inside[index + 1]?.atMs ?? nowMs;
    weighted += raw(mid.pricePips) * BigInt(untilMs - mid.atMs);
  });
  const price = pricePips(weighted / BigInt(nowMs - first.atMs));
  return { pricePips: price, sampleCount: inside.length, lastSampleAgeMs };
}

/**
 * Logit variance per second, scaled by 1e12. The increment still running counts as a whole interval, so that a jump
 * is seen at once and calm is not. Null before the first mid.
 */
export function realisedVarianceOf(
  statistics: TokenStatistics,
  nowMs: number,
  config: StatisticsConfig,
): bigint | null {
  const state = statistics.variance;
  const last = statistics.mids.at(-1);
  if (state === null || last === undefined) return null;
  // A market without moves for long has no variance of its own; the floor of the model then holds.
  const runningMs = Math.max(config.varianceIntervalMs, nowMs - state.lastAtMs);
  const squares = state.sumSquaresE12 + squaredIncrementE12(state.lastPricePips, last.pricePips, config);
  const secondsE12 = state.sumSecondsE12 + (BigInt(runningMs) * oneE12) / 1_000n;
  return (squares * oneE12) / secondsE12;
}

interface MinimumBids {
  readonly first: DepthBucket | undefined;
  readonly profile: readonly DepthStep[] | null;
  readonly best: BookLevel;
  readonly levels: readonly BookLevel[];
}

/** Last minimum by history; it holds until the history, its window or the best bid changes. */
const lastMinimum = new WeakMap<readonly DepthBucket[], MinimumBids>();

/** Smallest depth of the last five minutes at every distance, laid below the best bid of now. */
export function minimumBidsOf(
  statistics: TokenStatistics,
  observed: { readonly nowMs: number; readonly book: OrderBook },
  config: ObservationConfig,
): readonly BookLevel[] {
  const best = observed.book.bids[0];
  if (best === undefined) return [];
  const { depthBuckets } = statistics;
  const inside = depthBuckets.filter((bucket) => isInsideWindow(bucket, observed.nowMs, config.statistics));
  const previous = lastMinimum.get(depthBuckets);
  // Buckets are in order of time and leave the window at one end, so the first names all of them.
  const isSame = previous !== undefined && previous.first === inside[0];
  // Without history the book of now is all there is; the haircut still applies to it.
  if (inside.length === 0) return observed.book.bids;
  if (isSame && previous.best.pricePips === best.pricePips) return previous.levels;
  const profile = isSame ? previous.profile : profileOf(inside);
  const levels = profile === null ? observed.book.bids : levelsOfProfile(profile, best);
  lastMinimum.set(depthBuckets, { first: inside[0], profile, best, levels });
  return levels;
}

function profileOf(buckets: readonly DepthBucket[]): readonly DepthStep[] | null {
  let minimum: readonly DepthStep[] | null = null;
  for (const { steps } of buckets) minimum = minimum === null ? steps : minimumProfileOf(minimum, steps);
  return minimum;
}
