/** Requests under way at once: of a thousand quotes a second the last of them waits a quarter of a second. */
const maxUnderWay = 256;
/** With fewer than these a slow turn says that the machine is busy, not that there are too many requests. */
const minUnderWay = 64;
/** A loop that has not turned for so long is behind: what comes now would only make everyone wait longer. */
const maxLagMs = 400;
const tickMs = 50;

/**
 * Says when there is too much: a request that is refused at once costs little and says when to come back, one
 * that is taken in delays all that are under way. Those that were taken in are answered.
 */
export class Overload {
  #underWay = 0;
  #tickedAt = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => {
      this.#tickedAt = performance.now();
    }, tickMs).unref();
  }

  /** True when one more may come in. */
  get hasRoom(): boolean {
    if (this.#underWay < minUnderWay) return true;
    return this.#underWay < maxUnderWay && performance.now() - this.#tickedAt < maxLagMs;
  }

  /** Counts a request until the returned function is called. */
  enter(): () => void {
    this.#underWay += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#underWay -= 1;
      isOver = true;
    };
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
