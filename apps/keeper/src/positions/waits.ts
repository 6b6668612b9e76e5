import type { Pause } from './advancePosition.ts';

interface Waiting {
  readonly reason: string;
  readonly endsAtMs: number;
}

/** Waits that ended so long ago belong to positions that ended. */
const forgottenAfterMs = 600_000;

/**
 * What positions wait for: a poll leaves them alone meanwhile, so that chain, venue and signer are not asked several
 * times a second. Nothing depends on it: a process that starts with none looks once more.
 */
export class Waits {
  /** In the order in which they were noted, so that the oldest come first. */
  readonly #waits = new Map<string, Waiting>();

  isWaiting(positionKey: string, nowMs: number): boolean {
    return nowMs < (this.#waits.get(positionKey)?.endsAtMs ?? Number.NEGATIVE_INFINITY);
  }

  /** True when the position waits for another reason than before, or is new here: worth a log line. */
  note(positionKey: string, { reason, durationMs }: Pause, nowMs: number): boolean {
    const before = this.#waits.get(positionKey);
    this.#waits.delete(positionKey);
    this.#waits.set(positionKey, { reason, endsAtMs: nowMs + durationMs });
    this.#forgetOldest(nowMs);
    return before?.reason !== reason;
  }

  forget(positionKey: string): void {
    this.#waits.delete(positionKey);
  }

  /** Costs what it forgets. A wait that lasts longer than others keeps those noted after it for as long. */
  #forgetOldest(nowMs: number): void {
    for (const [positionKey, { endsAtMs }] of this.#waits) {
      if (nowMs - endsAtMs <= forgottenAfterMs) return;
      this.#waits.delete(positionKey);
    }
  }
}
