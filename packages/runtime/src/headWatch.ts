/** The chain's last block beside the service clock. */
export interface HeadState {
  /** Age of the last block on the service clock; 0 for one that is ahead of it, null before the first was read. */
  readonly headAgeMs: number | null;
  /** Lead of the last block's time over the service clock; 0 for one that is behind it. */
  readonly leadMs: number;
  /** True while blocks are young enough and of this time. */
  readonly isCurrent: boolean;
}

/** An instant on the service clock, and the same on the process's monotonic one. */
export interface Instant {
  readonly nowMs: number;
  readonly atMs: number;
}

/**
 * Default of the maximum head age: ten blocks of the slowest supported chain. A quote lives for 15 s: one issued on an
 * older head may expire before a block can carry it.
 */
export const defaultMaxHeadAgeMs = 20_000;
/**
 * Longest lead of the chain's clock. The vault refuses a quote that has expired on its own clock and a quote lives for
 * 15 s: with a larger lead a wallet has less than ten of them.
 */
const maxLeadMs = 5_000;
/**
 * A clock that is moved and a chain that follows it differ for a moment: only a difference that lasts this long counts.
 */
const confirmMs = 3_000;

/** Monitor of the chain's head: whether it advances, on the service's time. */
export class HeadWatch {
  readonly #maxAgeMs: number;
  #blockTimeMs: number | null = null;
  #wasCurrent = false;
  #differsSinceMs: number | null = null;

  /** @param maxAgeMs Oldest last block of a chain that moves. */
  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** Record the time of the chain's last block. */
  observe(blockTimeMs: number, instant: Instant): void {
    this.#blockTimeMs = blockTimeMs;
    this.state(instant);
  }

  state({ nowMs, atMs }: Instant): HeadState {
    if (this.#blockTimeMs === null) return { headAgeMs: null, leadMs: 0, isCurrent: false };
    const headAgeMs = Math.max(0, nowMs - this.#blockTimeMs);
    const leadMs = Math.max(0, this.#blockTimeMs - nowMs);
    if (headAgeMs <= this.#maxAgeMs && leadMs <= maxLeadMs) {
      this.#wasCurrent = true;
      this.#differsSinceMs = null;
      return { headAgeMs, leadMs, isCurrent: true };
    }
    this.#differsSinceMs ??= atMs;
    const isMomentary = this.#wasCurrent && atMs - this.#differsSinceMs < confirmMs;
    return { headAgeMs, leadMs, isCurrent: isMomentary };
  }
}
