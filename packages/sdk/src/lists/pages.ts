import { NetworkError } from '../errors/levError.ts';

/** List envelope of the service. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  /** Total number of items, only when requested. */
  readonly total_count?: number;
}

interface PageSource<Item> {
  /** Read the page after a cursor, or the first one. */
  readonly read: (startingAfter: string | null) => Promise<Page<Item>>;
  /** Return the cursor of an item. */
  readonly cursorOf: (item: Item) => string;
}

/** List of the service: iteration reads page after page on demand. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #source: PageSource<Item>;
  readonly #after: string | null;

  constructor(source: PageSource<Item>, after: string | null = null) {
    this.#source = source;
    this.#after = after;
  }

  /** Read only the first page, with one request. */
  firstPage(): Promise<Page<Item>> {
    return this.#read(this.#after);
  }

  /** Return the same list starting after the item of a cursor. */
  from(cursor: string): Pages<Item> {
    return new Pages(this.#source, cursor);
  }

  /** Iterate over pages. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let after = this.#after;
    for (;;) {
      const page = await this.#read(after);
      yield page;
      if (!page.has_more) return;
      const last = page.data.at(-1);
      const cursor = last ? this.#source.cursorOf(last) : after;
      // An end without a word would pass for the end of the list.
      if (cursor === after) throw new NetworkError(`no page follows ${after}`);
      after = cursor;
    }
  }

  /** Read a page and keep the items with a cursor: a malformed item does not hide the others. */
  async #read(after: string | null): Promise<Page<Item>> {
    const page = await this.#source.read(after);
    const data: unknown = Object(page).data;
    if (!Array.isArray(data)) throw new NetworkError('the service answered with no list');
    const hasCursor = (item: Item): boolean =>
      typeof item === 'object' && item !== null && typeof this.#source.cursorOf(item) === 'string';
    return { ...page, data: page.data.filter(hasCursor) };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
