/** A list envelope of the service. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  /** Only when it was asked for. */
  readonly total_count?: number;
}

interface PageSource<Item> {
  /** Reads the page after a cursor, or the first one. */
  readonly read: (startingAfter: string | null) => Promise<Page<Item>>;
  /** The cursor that stands for an item. */
  readonly cursorOf: (item: Item) => string;
}

/** A list of the service: iterating over it reads page after page, each when it is needed. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #source: PageSource<Item>;
  readonly #after: string | null;

  constructor(source: PageSource<Item>, after: string | null = null) {
    this.#source = source;
    this.#after = after;
  }

  /** The first page alone, one request. */
  firstPage(): Promise<Page<Item>> {
    return this.#source.read(this.#after);
  }

  /** The same list from after an item on, given by its cursor. */
  from(cursor: string): Pages<Item> {
    return new Pages(this.#source, cursor);
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let after = this.#after;
    for (;;) {
      const page = await this.#source.read(after);
      yield page;
      const last = page.data.at(-1);
      if (!page.has_more || last === undefined) return;
      after = this.#source.cursorOf(last);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
