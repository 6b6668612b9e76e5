import { retryAfterMsOf } from './retryAfter.ts';

/**
 * Longest pause of one answer. An answer with a longer one, by mistake or by malice, gets one request per this time: a
 * program with a single node must notice soon that the node answers again.
 */
const longestPauseMs = 10_000;

/**
 * Pause that a node requests by `Retry-After`. A call during it costs the node nothing and fails at once, so that the
 * next node is asked and no caller waits for as long as a node says.
 */
export class NodePause {
  readonly #now: () => number;
  #endsAtMs = Number.NEGATIVE_INFINITY;

  /** @param now Monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds that are left of the pause; 0 without one. */
  get restMs(): number {
    return Math.max(0, this.#endsAtMs - this.#now());
  }

  /** Record the header of a refused request. A shorter pause does not end a longer one. */
  record(header: string | null): void {
    const requestedMs = retryAfterMsOf(header, Date.now()) ?? 0;
    this.#endsAtMs = Math.max(this.#endsAtMs, this.#now() + Math.min(longestPauseMs, requestedMs));
  }
}
