export interface FreezeTiming {
  /** How far the socket may lag behind a newer REST read before the feed counts as frozen. */
  readonly freezeGraceMs: number;
  /** A frozen feed is not reconnected more often than this; the wait doubles while it stays frozen. */
  readonly minReconnectIntervalMs: number;
}

const maxReconnectIntervalMs = 60_000;

/**
 * Finds a feed that is frozen while its connection looks alive: REST showed a book the socket never sent. The only
 * way to notice, as messages carry no sequence numbers. Instants are the process's own monotonic milliseconds.
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
   * Whether to connect anew now. A connection that did not help is given longer the next time: every market pays for a
   * new one with a read of its books.
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
