export interface FoundLimitOptions {
  /** Size that is tried first, and the largest ever. */
  readonly largest: number;
  /** Pause after which twice the size is tried again: a node may be replaced, or the refusal was an exception. */
  readonly raiseMs: number;
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number;
}

/** Largest size of a request that a node takes, as far as its refusals show it. */
export class FoundLimit {
  readonly #options: Required<FoundLimitOptions>;
  #size: number;
  #raisesAtMs = Number.POSITIVE_INFINITY;
  #lastLowered = Number.POSITIVE_INFINITY;

  constructor(options: FoundLimitOptions) {
    this.#options = { nowMs: () => performance.now(), ...options };
    this.#size = options.largest;
  }

  /** Size of the next request, at least 1. */
  get size(): number {
    const { largest, raiseMs, nowMs } = this.#options;
    if (this.#size < largest && nowMs() >= this.#raisesAtMs) {
      this.#size = Math.min(largest, this.#size * 2);
      this.#raisesAtMs = nowMs() + raiseMs;
    }
    return this.#size;
  }

  /** Record that a larger request than this was refused. Return true when it is another size than the last time. */
  lower(size: number): boolean {
    const { raiseMs, nowMs } = this.#options;
    if (size >= this.#size) return false;
    const isChanged = size !== this.#lastLowered;
    this.#size = Math.max(1, size);
    this.#lastLowered = size;
    this.#raisesAtMs = nowMs() + raiseMs;
    return isChanged;
  }
}
