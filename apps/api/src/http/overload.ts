import type { LimitState } from '@core/store';
import { defaultLimits, type ProcessLimits } from '../processLimits.ts';

/** With fewer than these a slow loop says that the machine is busy, not that there are too many requests. */
const minUnderWay = 64;
/** Longest wait for the last admitted request, estimated from the rate of answers. */
const maxWaitMs = 80;
/** A loop that has been held up for so long is behind: what comes now would only make everyone wait longer. */
const maxLagMs = 400;
const tickMs = 50;
/** Weight of the newest tick: what comes at once and is over within half a second changes little. */
const newestShare = 0.1;
/** Time after which a refused request may be sent again. */
const retryMs = 1_000;

type PlaceLimits = Pick<ProcessLimits, 'places' | 'placesPerAddress' | 'placesPerCaller'>;

/** The place of one request that is being handled. */
export interface Place {
  /** Count the slot for its caller. Return null, or the limit that the caller has reached. */
  claim(caller: string): LimitState | null;
  /** Free the slot; further calls do nothing. */
  leave(): void;
}

/**
 * Bounds the requests handled at once, in all, per address and per caller. A request that is refused at once costs
 * little and says when to come back; one that is let in delays all that are under way. Those that were let in are
 * answered.
 */
export class Overload {
  readonly #limits: PlaceLimits;
  readonly #byAddress = new Map<string, number>();
  readonly #byCaller = new Map<string, number>();
  #underWay = 0;
  #endedCount = 0;
  #tickedAt: number;
  /** Answers in a millisecond while there is much to do, averaged over about a second. */
  #endedPerMs: number;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;

  /** @param nowMs Monotonic clock, milliseconds. */
  constructor(nowMs: () => number = () => performance.now(), limits: PlaceLimits = defaultLimits) {
    this.#nowMs = nowMs;
    this.#limits = limits;
    this.#tickedAt = nowMs();
    this.#endedPerMs = limits.places / maxWaitMs;
    this.#timer = setInterval(() => this.tick(), tickMs).unref();
  }

  /** Requests that may run at once, at the present rate of answers. */
  get capacity(): number {
    const isBehind = this.#nowMs() - this.#tickedAt >= maxLagMs;
    const answerable = Math.min(this.#limits.places, Math.ceil(this.#endedPerMs * maxWaitMs));
    return isBehind ? minUnderWay : Math.max(minUnderWay, answerable);
  }

  /** The bound that keeps one more request of an address out, or null. */
  refusalOf(address: string): LimitState | null {
    const { capacity } = this;
    // Decision: apps/api/DECISIONS.md#load-shedding-runs-before-authentication
    if (this.#underWay >= capacity) return boundReached(capacity);
    const { placesPerAddress } = this.#limits;
    return (this.#byAddress.get(address) ?? 0) < placesPerAddress ? null : boundReached(placesPerAddress);
  }

  /** Take a slot for a request of an address, whether or not one is free: call `refusalOf` first. */
  enter(address: string): Place {
    this.#underWay += 1;
    change(this.#byAddress, address, 1);
    let owner: string | null = null;
    let isOver = false;
    return {
      claim: (caller) => {
        const { placesPerCaller } = this.#limits;
        if (isOver || owner !== null) return null;
        if ((this.#byCaller.get(caller) ?? 0) >= placesPerCaller) return boundReached(placesPerCaller);
        owner = caller;
        change(this.#byCaller, caller, 1);
        return null;
      },
      leave: () => {
        if (isOver) return;
        isOver = true;
        this.#underWay -= 1;
        this.#endedCount += 1;
        change(this.#byAddress, address, -1);
        if (owner !== null) change(this.#byCaller, owner, -1);
      },
    };
  }

  /** Count the answers since the last tick. A low count is only meaningful while many requests wait. */
  tick(): void {
    const nowMs = this.#nowMs();
    const elapsedMs = Math.max(1, nowMs - this.#tickedAt);
    const endedPerMs = this.#underWay >= minUnderWay ? this.#endedCount / elapsedMs : this.#limits.places / maxWaitMs;
    this.#endedPerMs += newestShare * (endedPerMs - this.#endedPerMs);
    this.#endedCount = 0;
    this.#tickedAt = nowMs;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

const boundReached = (limit: number): LimitState => ({ allowed: false, limit, remaining: 0, resetMs: retryMs });

function change(counts: Map<string, number>, key: string, difference: number): void {
  const count = (counts.get(key) ?? 0) + difference;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
