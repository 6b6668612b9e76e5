export interface FreezeTiming {
  /** Lag of the socket behind a newer REST read after which the feed counts as frozen. */
  readonly freezeGraceMs: number;
  /** A frozen feed is not reconnected more often than this; the wait doubles while it stays frozen. */
  readonly minReconnectIntervalMs: number;
}

const maxReconnectIntervalMs = 60_000;

/**
 * Detector of a feed that is frozen on an open connection: REST showed a book the socket never sent. No other sign
 * exists, as messages carry no sequence numbers. Instants are the process's own monotonic milliseconds.
 */
export class FreezeGuard {
  readonly #timing: FreezeTiming;
  readonly #aheadSince = new Map<string, number>();
  #reconnectedAt = Number.NEGATIVE_INFINITY;
  #intervalMs: number;
  #freezeCount = 0;

  constructor(timing: FreezeTiming) {
    this.#timing = timing;
    this.#intervalMs = timing.minReconnectIntervalMs;
  }

  get freezeCount(): number {
    return this.#freezeCount;
  }

  /** REST showed a newer book than the socket did. */
  restAhead(tokenId: string, now: number): void {
    if (!this.#aheadSince.has(tokenId)) {
      this.#aheadSince.set(tokenId, now);
    }
  }

  /** The socket sent something about the token, or it is not watched any more. */
  caughtUp(tokenId: string): void {
    this.#aheadSince.delete(tokenId);
  }

  /**
   * Return whether to reconnect now. After a reconnect that did not help the interval doubles: every market pays for a
   * new connection with a read of its books.
   */
  isReconnectDue(now: number): boolean {
    const sinceReconnectMs = now - this.#reconnectedAt;
    const isFrozen = [...this.#aheadSince.values()].some((since) => now - since >= this.#timing.freezeGraceMs);
    if (!isFrozen) {
      if (sinceReconnectMs >= 2 * this.#intervalMs) {
        this.#intervalMs = this.#timing.minReconnectIntervalMs;
      }
      return false;
    }
    if (sinceReconnectMs < this.#intervalMs) {
      return false;
    }
    if (this.#reconnectedAt !== Number.NEGATIVE_INFINITY) {
      this.#intervalMs = Math.min(maxReconnectIntervalMs, 2 * this.#intervalMs);
    }
    this.#reconnectedAt = now;
    this.#freezeCount += 1;
    this.#aheadSince.clear();
    return true;
  }
}
