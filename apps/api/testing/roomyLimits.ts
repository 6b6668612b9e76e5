import type { LimitBucket, LimitStore } from '@core/store';

/** The same buckets, counted in the same place, with room for any load: every request is charged, and none refused. */
export function roomyLimits(limits: LimitStore): LimitStore {
  const roomy = (bucket: LimitBucket): LimitBucket => ({ ...bucket, points: 1_000_000_000 });
  return {
    ...limits,
    consume: (bucket, subject) => limits.consume(roomy(bucket), subject),
    refusalOf: (bucket, subject) => limits.refusalOf(roomy(bucket), subject),
    chargeOf: (bucket, subject) => limits.chargeOf(roomy(bucket), subject),
  };
}
