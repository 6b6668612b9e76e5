import type { EndpointLimit } from '../profile/venueProfile.ts';
import type { MonotonicNow } from './endpointPauses.ts';

const windowMs = 10_000;
/** Requests sent at once at most, as a part of a window's. */
const burstDivisor = 10;

interface Bucket {
  readonly limit: EndpointLimit;
  readonly capacity: number;
  readonly perMs: number;
  /** Requests that may go at `atMs`; negative while earlier ones wait for theirs. */
  available: number;
  atMs: number;
}

/**
 * Requests of one address under the venue's limits, each endpoint with a bucket of its own: a tenth of a window's
 * requests at once and nine tenths over the window, so that no window of ten seconds holds more than the limit.
 */
export class RequestBudget {
  readonly #now: MonotonicNow;
  readonly #buckets: readonly Bucket[];

  constructor(limits: readonly EndpointLimit[], now: MonotonicNow = () => performance.now()) {
    this.#now = now;
    this.#buckets = limits
      .map((limit) => {
        const capacity = Math.max(1, Math.floor(limit.requestsPer10Seconds / burstDivisor));
        const perMs = Math.max(1, limit.requestsPer10Seconds - capacity) / windowMs;
        return { limit, capacity, perMs, available: capacity, atMs: this.#now() };
      })
      // The longest path that fits counts.
      .toSorted((left, right) => right.limit.path.length - left.limit.path.length);
  }

  /** Take the place of one request and return how long it has to wait, milliseconds, rounded up. */
  take(method: EndpointLimit['method'], path: string): number {
    const bucket = this.#buckets.find(
      ({ limit }) => (limit.method ?? method) === method && (path === limit.path || path.startsWith(`${limit.path}/`)),
    );
    if (bucket === undefined) return 0;
    const nowMs = this.#now();
    bucket.available = Math.min(bucket.capacity, bucket.available + (nowMs - bucket.atMs) * bucket.perMs) - 1;
    bucket.atMs = nowMs;
    return bucket.available >= 0 ? 0 : Math.ceil(-bucket.available / bucket.perMs);
  }
}
