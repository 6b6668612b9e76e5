import type { LimitStore } from '@core/store';

/** Buckets that never empty, for tests of everything but the buckets. */
export const unlimited: LimitStore = {
  consume: (bucket) =>
    Promise.resolve({ allowed: true, limit: bucket.points, remaining: bucket.points, resetMs: bucket.windowMs }),
  refusalOf: () => null,
  chargeOf: () => null,
  removeExpired: () => Promise.resolve(0),
};
