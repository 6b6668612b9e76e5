/** A memory of bounded size, by key: what was set the longest ago is forgotten first. */
export class RecentMap<Key, Value> {
  readonly #maxSize: number;
  /** In the order in which they were set last, the oldest first. */
  readonly #values = new Map<Key, Value>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  has(key: Key): boolean {
    return this.#values.has(key);
  }

  delete(key: Key): void {
    this.#values.delete(key);
  }

  /** Remembers a value as the newest, also under a key that has one. */
  set(key: Key, value: Value): void {
    this.#values.delete(key);
    const [oldest] = this.#values.size >= this.#maxSize ? this.#values.keys() : [];
    if (oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
  }
}
