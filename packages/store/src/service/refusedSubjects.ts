import type { LimitBucket, LimitState, StatementCharge } from './limits.ts';

/** Subjects over their limit that one process remembers: an attack from more addresses costs statements, not memory. */
const maxSubjects = 50_000;

/**
 * Subjects known to be over their limit, until their window ends: an attacker costs one map lookup, not one statement.
 * Windows run on the operating system's clock.
 */
export class RefusedSubjects {
  readonly #endsAtMs = new Map<string, number>();

  /** Record the state after a charge: the points used of the bucket, and the end of its window. */
  stateOf({ bucket, key }: StatementCharge, seen: { readonly points: number; readonly endsAtMs: number }): LimitState {
    const isAllowed = seen.points <= bucket.points;
    if (!isAllowed) this.#remember(key, seen.endsAtMs);
    return {
      allowed: isAllowed,
      limit: bucket.points,
      remaining: Math.max(0, bucket.points - seen.points),
      resetMs: Math.max(0, seen.endsAtMs - Date.now()),
    };
  }

  /** The state of a subject that is still over its limit, or null. */
  refusalOf(bucket: LimitBucket, key: string): LimitState | null {
    const endsAtMs = this.#endsAtMs.get(key);
    if (endsAtMs === undefined) return null;
    const resetMs = endsAtMs - Date.now();
    // The clock may have been set back: no window is longer than its bucket's.
    if (resetMs > 0 && resetMs <= bucket.windowMs)
      return { allowed: false, limit: bucket.points, remaining: 0, resetMs };
    this.#endsAtMs.delete(key);
    return null;
  }

  #remember(key: string, endsAtMs: number): void {
    if (this.#endsAtMs.size >= maxSubjects) {
      const [oldest] = this.#endsAtMs.keys();
      if (oldest !== undefined) this.#endsAtMs.delete(oldest);
    }
    this.#endsAtMs.set(key, endsAtMs);
  }
}
