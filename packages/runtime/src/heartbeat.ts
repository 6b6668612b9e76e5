/** The name under which keepers report that they are alive; several may add a suffix of their own. */
export const keeperHeartbeat = 'keeper';

/** A recorded sign of life. */
export interface Heartbeat {
  readonly name: string;
  /** On the service clock. */
  readonly lastHeartbeatAtMs: number;
  /** What the program said of itself. */
  readonly detail: unknown;
}

/** The youngest heartbeat of one kind of program, as last read from where heartbeats are kept. */
export class HeartbeatReader {
  readonly #heartbeats: { all(): Promise<readonly Heartbeat[]> };
  readonly #prefix: string;
  readonly #now: () => number;
  #latest: Heartbeat | null = null;
  #seenAtMs = 0;

  /** Reads the heartbeats whose name begins with the prefix. @param now Monotonic milliseconds. */
  constructor(
    heartbeats: { all(): Promise<readonly Heartbeat[]> },
    prefix: string,
    now: () => number = () => performance.now(),
  ) {
    this.#heartbeats = heartbeats;
    this.#prefix = prefix;
    this.#now = now;
  }

  async refresh(): Promise<void> {
    let latest: Heartbeat | null = null;
    for (const heartbeat of await this.#heartbeats.all()) {
      const isOurs = heartbeat.name.startsWith(this.#prefix);
      if (isOurs && heartbeat.lastHeartbeatAtMs > (latest?.lastHeartbeatAtMs ?? Number.NEGATIVE_INFINITY)) {
        latest = heartbeat;
      }
    }
    if (latest?.lastHeartbeatAtMs !== this.#latest?.lastHeartbeatAtMs) this.#seenAtMs = this.#now();
    this.#latest = latest;
  }

  /** Silence on the service clock; null when none ever reported. A heartbeat ahead of the clock has age 0. */
  ageMs(nowMs: number): number | null {
    return this.#latest === null ? null : Math.max(0, nowMs - this.#latest.lastHeartbeatAtMs);
  }

  /**
   * Detail of the youngest heartbeat, and for how long it has been known here, on the process's own clock: moving the
   * service clock makes it no older. Null when none ever reported.
   */
  latest(): { readonly detail: unknown; readonly knownForMs: number } | null {
    return this.#latest && { detail: this.#latest.detail, knownForMs: this.#now() - this.#seenAtMs };
  }
}
