import { type BookLevel, type OrderBook, type PricePips, pricePips, raw, subtract } from '@core/pricing';
import type { PolicyConfig, StatisticsConfig } from '../config.ts';
import type { TimeWeightedPrice } from '../market/marketSnapshot.ts';
import { oneE12 } from '../math/fixedPoint.ts';
import { levelsOfProfile, minimumProfileOf } from './depthProfile.ts';
import { isInsideWindow, squaredIncrementE12 } from './recordSample.ts';
import type { DepthStep, TokenStatistics } from './tokenStatistics.ts';

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
  config: PolicyConfig,
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
export function twapOf(statistics: TokenStatistics, nowMs: number, config: PolicyConfig): TimeWeightedPrice {
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
  const runningMs = Math.max(config.varianceIntervalMs, nowMs - state.lastAtMs);
  const squares = state.sumSquaresE12 + squaredIncrementE12(state.lastPricePips, last.pricePips, config);
  const secondsE12 = state.sumSecondsE12 + (BigInt(runningMs) * oneE12) / 1_000n;
  return (squares * oneE12) / secondsE12;
}

/** Smallest depth of the last five minutes at every distance, laid below the best bid of now. */
export function minimumBidsOf(
  statistics: TokenStatistics,
  observed: { readonly nowMs: number; readonly book: OrderBook },
  config: PolicyConfig,
): readonly BookLevel[] {
  const best = observed.book.bids[0];
  if (best === undefined) return [];
  let minimum: readonly DepthStep[] | null = null;
  for (const bucket of statistics.depthBuckets) {
    if (!isInsideWindow(bucket, observed.nowMs, config.statistics)) continue;
    minimum = minimum === null ? bucket.steps : minimumProfileOf(minimum, bucket.steps);
  }
  return minimum === null ? observed.book.bids : levelsOfProfile(minimum, best);
}

/** Change of the mid over a window of at most `changeWindowMs`, signed; null when the history is shorter. */
export function changeOverOf(statistics: TokenStatistics, nowMs: number, windowMs: number): PricePips | null {
  const last = statistics.mids.at(-1);
  const first = statistics.mids.findLast((mid) => mid.atMs <= nowMs - windowMs);
  if (last === undefined || first === undefined) return null;
  return subtract(last.pricePips, first.pricePips);
}
