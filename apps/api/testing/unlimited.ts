import type { LimitState, LimitStore } from '@core/store';

/** Of a limit that is never reached. */
export const unlimitedState: LimitState = { allowed: true, limit: 1, remaining: 1, resetMs: 60_000 };

/** Buckets that never empty, for tests of everything but the buckets. */
export const unlimited: LimitStore = {
  consume: (bucket) =>
    Promise.resolve({ allowed: true, limit: bucket.points, remaining: bucket.points, resetMs: bucket.windowMs }),
  refusalOf: () => null,
  chargeOf: () => null,
  removeExpired: () => Promise.resolve(0),
};
