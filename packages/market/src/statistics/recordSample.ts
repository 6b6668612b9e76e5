import { max, midPriceOf, min, type OrderBook, type PricePips, raw } from '@core/pricing';
import { decayE12, logitE12, oneE12 } from '../math/fixedPoint.ts';
import type { StatisticsConfig } from '../observation.ts';
import { depthProfileOf, minimumProfileOf } from './depthProfile.ts';
import type { DepthBucket, MidSample, TokenStatistics, VarianceState } from './tokenStatistics.ts';

/** Observation of a live book: a message of the feed or a REST read that confirmed it. Never a stale book. */
export interface BookSample {
  readonly atMs: number;
  readonly book: OrderBook;
}

const ln2E12 = 693_147_180_560n;

/**
 * Fold one sample into the history: mids for the average, squared logit increments for the variance, smallest depth per
 * bucket. Samples come in order of time; one older than the last is ignored.
 */
export function recordSample(
  statistics: TokenStatistics,
  sample: BookSample,
  config: StatisticsConfig,
): TokenStatistics {
  const last = statistics.mids.at(-1);
  // Sources race: a late read of the past must not rewrite what has been seen since.
  if (last !== undefined && sample.atMs < last.atMs) return statistics;
  const mid = midPriceOf(sample.book);
  return {
    mids: mid === null ? statistics.mids : recordMid(statistics.mids, { atMs: sample.atMs, pricePips: mid }, config),
    variance: mid === null ? statistics.variance : recordVariance(statistics.variance, sample.atMs, { mid, config }),
    depthBuckets: recordDepth(statistics.depthBuckets, sample, config),
  };
}

function recordMid(mids: readonly MidSample[], sample: MidSample, config: StatisticsConfig): readonly MidSample[] {
  const beforeLast = mids.at(-2);
  const isClose = beforeLast !== undefined && sample.atMs - beforeLast.atMs < config.midSpacingMs;
  const spaced = isClose ? mids.slice(0, -1) : mids;
  // One mid older than the window stays: it is the price at the window's beginning.
  const firstInside = spaced.findIndex((mid) => mid.atMs > sample.atMs - config.midWindowMs);
  return [...spaced.slice(Math.max(0, (firstInside === -1 ? spaced.length : firstInside) - 1)), sample];
}

/** The price kept away from 0 and 1, where a cent is worth whole units of log odds. */
function clampedOf(price: PricePips, config: StatisticsConfig): PricePips {
  return max(config.minPricePips, min(config.maxPricePips, price));
}

/** Square of the change in log odds, scaled by 1e12. */
export function squaredIncrementE12(from: PricePips, to: PricePips, config: StatisticsConfig): bigint {
  const increment = logitE12(raw(clampedOf(to, config))) - logitE12(raw(clampedOf(from, config)));
  return (increment * increment) / oneE12;
}

function recordVariance(
  state: VarianceState | null,
  atMs: number,
  { mid, config }: { mid: PricePips; config: StatisticsConfig },
): VarianceState {
  if (state === null) return { sumSquaresE12: 0n, sumSecondsE12: 0n, lastAtMs: atMs, lastPricePips: mid };
  const elapsedMs = atMs - state.lastAtMs;
  // Shorter increments would count the bounce between bid and ask as variance.
  if (elapsedMs < config.varianceIntervalMs) return state;
  const decay = decayE12((ln2E12 * BigInt(elapsedMs)) / BigInt(config.varianceHalfLifeMs));
  return {
    sumSquaresE12: (state.sumSquaresE12 * decay) / oneE12 + squaredIncrementE12(state.lastPricePips, mid, config),
    sumSecondsE12: (state.sumSecondsE12 * decay) / oneE12 + (BigInt(elapsedMs) * oneE12) / 1_000n,
    lastAtMs: atMs,
    lastPricePips: mid,
  };
}

function recordDepth(
  buckets: readonly DepthBucket[],
  sample: BookSample,
  config: StatisticsConfig,
): readonly DepthBucket[] {
  const startMs = sample.atMs - (sample.atMs % config.minimumBidsBucketMs);
  const profile = depthProfileOf(sample.book.bids);
  const last = buckets.at(-1);
  // Inside a bucket only the thinnest moment counts: depth that comes and goes cannot be sold into.
  if (last !== undefined && last.startMs === startMs) {
    return [...buckets.slice(0, -1), { startMs, steps: minimumProfileOf(last.steps, profile) }];
  }
  const live = buckets.filter((bucket) => isInsideWindow(bucket, sample.atMs, config));
  return [...live, { startMs, steps: profile }];
}

/** True while any part of the bucket lies inside the window that ends now. */
export function isInsideWindow(bucket: DepthBucket, nowMs: number, config: StatisticsConfig): boolean {
  return bucket.startMs + config.minimumBidsBucketMs > nowMs - config.minimumBidsWindowMs;
}
