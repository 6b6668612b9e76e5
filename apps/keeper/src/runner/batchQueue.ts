/** Second half of an item's work, which begins when that of its batch is prepared. */
export type Finish<Result> = () => Promise<Result>;

export interface BatchQueueOptions<Item, Result> {
  readonly maxCount: number;
  readonly keyOf: (item: Item) => string;
  /** Prepare items of one key, and return the rest of each one's work, in their order. */
  readonly prepare: (items: readonly Item[]) => Promise<readonly Finish<Result>[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly ends: PromiseWithResolvers<Result>;
}

/**
 * Batches of items with one key. An item begins at once while none of its key is being prepared; those that arrive
 * meanwhile form the next batch, in the order of their arrival. The rest of the work of several batches overlaps.
 */
export class BatchQueue<Item, Result> {
  readonly #options: BatchQueueOptions<Item, Result>;
  /** Waiting items by key; a key is absent while nothing of it is prepared. */
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();

  constructor(options: BatchQueueOptions<Item, Result>) {
    this.#options = options;
  }

  /** Return the result of an item. @throws the error of its preparation, which every item of its batch gets. */
  run(item: Item): Promise<Result> {
    const key = this.#options.keyOf(item);
    const ends = Promise.withResolvers<Result>();
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      this.#waiting.set(key, [{ item, ends }]);
      void this.#prepareAll(key);
    } else waiting.push({ item, ends });
    return ends.promise;
  }

  async #prepareAll(key: string): Promise<void> {
    const { maxCount } = this.#options;
    for (;;) {
      const batch = this.#waiting.get(key)?.splice(0, maxCount) ?? [];
      if (batch.length === 0) break;
      await this.#prepare(batch);
    }
    this.#waiting.delete(key);
  }

  async #prepare(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const rests = await this.#options.prepare(batch.map(({ item }) => item));
      for (const [index, { ends }] of batch.entries()) {
        const finish = rests[index];
        if (finish === undefined) ends.reject(new Error('a batch was prepared without one of its items'));
        else finish().then(ends.resolve, ends.reject);
      }
    } catch (error) {
      for (const { ends } of batch) ends.reject(error);
    }
  }
}
