interface Deadline {
  readonly key: string;
  readonly atMs: number;
}

/** Deadlines by key, the earliest first. Setting one costs O(log n) comparisons, taking the due ones O(due). */
export class Deadlines {
  readonly #byKey = new Map<string, number>();
  /** Latest first, so that due ones are popped from the end. */
  readonly #queue: Deadline[] = [];

  set(key: string, atMs: number): void {
    if (this.#byKey.get(key) === atMs) return;
    this.remove(key);
    this.#byKey.set(key, atMs);
    this.#queue.splice(this.#indexOf({ key, atMs }), 0, { key, atMs });
  }

  remove(key: string): void {
    const atMs = this.#byKey.get(key);
    if (atMs === undefined) return;
    this.#queue.splice(this.#indexOf({ key, atMs }), 1);
    this.#byKey.delete(key);
  }

  /** Return true when the deadline of a key has passed and was not taken yet. */
  isDue(key: string, nowMs: number): boolean {
    return (this.#byKey.get(key) ?? Number.POSITIVE_INFINITY) <= nowMs;
  }

  /** Remove and return every due key, the earliest first. */
  takeDue(nowMs: number): readonly string[] {
    const due: string[] = [];
    for (let last = this.#queue.at(-1); last !== undefined && last.atMs <= nowMs; last = this.#queue.at(-1)) {
      this.#queue.pop();
      this.#byKey.delete(last.key);
      due.push(last.key);
    }
    return due;
  }

  /** Return the first index whose deadline is not later; equal ones are ordered by key. */
  #indexOf({ key, atMs }: Deadline): number {
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#queue[middle];
      const isBefore = other !== undefined && (other.atMs > atMs || (other.atMs === atMs && other.key < key));
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
