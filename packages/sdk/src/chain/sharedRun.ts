/**
 * Run of a generator with any number of readers. Each reads every item from the first on. The generator advances when a
 * reader needs the next item and pauses otherwise. All readers get its error.
 */
export class SharedRun<Item> implements AsyncIterable<Item> {
  readonly #source: AsyncIterator<Item, void>;
  readonly #items: Item[] = [];
  /** Pending step; after the end of the run, its end. */
  #step: Promise<boolean> | null = null;

  constructor(source: AsyncIterator<Item, void>) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let index = 0; ; index += 1) {
      if (index === this.#items.length && !(await this.#advance())) return;
      yield* this.#items.slice(index, index + 1);
    }
  }

  /** Advance the generator by one step that all waiting readers share; false when it has ended. */
  #advance(): Promise<boolean> {
    this.#step ??= this.#source.next().then((next) => {
      if (next.done === true) return false;
      this.#items.push(next.value);
      this.#step = null;
      return true;
    });
    return this.#step;
  }
}
