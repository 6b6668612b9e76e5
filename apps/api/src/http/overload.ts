/** Requests under way at once while it is not known how many are answered. */
const maxUnderWay = 256;
/** With fewer than these a slow loop says that the machine is busy, not that there are too many requests. */
const minUnderWay = 64;
/** How long the last of those under way may wait for its answer, as far as answers come. */
const maxWaitMs = 80;
/** A loop that has been held up for so long is behind: what comes now would only make everyone wait longer. */
const maxLagMs = 400;
const tickMs = 50;
/** Weight of the newest tick: what comes at once and is over within half a second changes little. */
const newestShare = 0.1;

/**
 * Says when there is too much: a request that is refused at once costs little and says when to come back, one
 * that is taken in delays all that are under way. Those that were taken in are answered.
 */
export class Overload {
  #underWay = 0;
  #endedCount = 0;
  #tickedAt: number;
  /** Answers in a millisecond while there is much to do, as seen over the last second or so. */
  #endedPerMs = maxUnderWay / maxWaitMs;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;

  /** @param nowMs Monotonic clock, milliseconds. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#tickedAt = nowMs();
    this.#timer = setInterval(() => this.tick(), tickMs).unref();
  }

  /** Requests that may be under way at once, as things are now. */
  get roomCount(): number {
    const isBehind = this.#nowMs() - this.#tickedAt >= maxLagMs;
    const answerable = Math.min(maxUnderWay, Math.ceil(this.#endedPerMs * maxWaitMs));
    return isBehind ? minUnderWay : Math.max(minUnderWay, answerable);
  }

  /** True when one more may come in. */
  get hasRoom(): boolean {
    return this.#underWay < this.roomCount;
  }

  /** Counts a request until the returned function is called. */
  enter(): () => void {
    this.#underWay += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#underWay -= 1;
      this.#endedCount += 1;
    };
  }

  /** Sees how much was answered since the last time. Few answers say something only while many wait for theirs. */
  tick(): void {
    const nowMs = this.#nowMs();
    const elapsedMs = Math.max(1, nowMs - this.#tickedAt);
    const endedPerMs = this.#underWay >= minUnderWay ? this.#endedCount / elapsedMs : maxUnderWay / maxWaitMs;
    this.#endedPerMs += newestShare * (endedPerMs - this.#endedPerMs);
    this.#endedCount = 0;
    this.#tickedAt = nowMs;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
