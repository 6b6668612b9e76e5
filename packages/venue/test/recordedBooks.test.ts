import { compare, raw } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { BookStore } from '../src/book/bookStore.ts';
import { isCrossed } from '../src/book/tokenBook.ts';
import { bookSnapshotOf, wireBookSchema } from '../src/schema/book.ts';
import { bookHashOf } from '../src/schema/bookHash.ts';
import { hasRecordedData, readRecorded } from '../testing/recordedData.ts';

interface RecordedBook {
  readonly market: string;
  readonly asset_id: string;
  readonly timestamp_ms: number;
  readonly hash: string;
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
  readonly min_order_size: string;
  readonly tick_size: string;
  readonly neg_risk: boolean;
  readonly last_trade_price: string;
}

const recordedBooks = (): readonly RecordedBook[] =>
  readRecorded('venue/books.jsonl')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedBook);

const readable = <Value>(value: Value | null): Value => {
  if (value === null) {
    throw new Error('a recorded book cannot be read');
  }
  return value;
};

const wireOf = ({ timestamp_ms, ...book }: RecordedBook) => ({ ...book, timestamp: String(timestamp_ms) });

describe.runIf(hasRecordedData)('recorded books', () => {
  test('all 14 book hashes are recomputed and equal', () => {
    const books = recordedBooks();
    expect(books).toHaveLength(14);
    expect(books.map((book) => bookHashOf(wireOf(book)))).toEqual(books.map(({ hash }) => hash));
  });

  test('one changed size breaks the hash', () => {
    const [book] = recordedBooks().map(wireOf);
    const damaged = {
      ...book,
      asks: book?.asks.map((level, index) => (index === 0 ? { ...level, size: '1' } : level)),
    };
    expect(bookSnapshotOf(wireBookSchema.parse(book))?.isHashValid).toBe(true);
    expect(bookSnapshotOf(wireBookSchema.parse(damaged))?.isHashValid).toBe(false);
  });

  test('books are turned best first, amounts exact, also where a side is empty', () => {
    for (const book of recordedBooks()) {
      const snapshot = readable(bookSnapshotOf(wireBookSchema.parse(wireOf(book))));
      expect(snapshot.bids).toHaveLength(book.bids.length);
      expect(snapshot.asks).toHaveLength(book.asks.length);
      const best = [snapshot.bids[0], snapshot.asks[0]].map((level) =>
        level ? Number(raw(level.pricePips)) / 10_000 : null,
      );
      expect(best).toEqual([Reflect.get(book, '_best_bid'), Reflect.get(book, '_best_ask')]);
      expect(snapshot.bids).toEqual(snapshot.bids.toSorted((left, right) => compare(right.pricePips, left.pricePips)));
      expect(snapshot.asks).toEqual(snapshot.asks.toSorted((left, right) => compare(left.pricePips, right.pricePips)));
      expect(isCrossed(snapshot)).toBe(false);
      expect([snapshot.bids.length, snapshot.asks.length]).toEqual([book.bids.length, book.asks.length]);
    }
  });

  test('a store fed the recorded books in order keeps each token’s last one and its last mid', () => {
    const store = new BookStore();
    const books = recordedBooks().toSorted((left, right) => left.timestamp_ms - right.timestamp_ms);
    for (const book of books) {
      const snapshot = readable(bookSnapshotOf(wireBookSchema.parse(wireOf(book))));
      expect(store.apply({ kind: 'book', snapshot }, book.timestamp_ms)).toEqual([
        { tokenId: book.asset_id, outcome: 'ticked' },
      ]);
    }
    // The 15-minute market's first token ends without asks, 25 s after its close; its last mid was .955.
    const up = store.book('14965588658799411272385430903075831224615961675357217884735713260981483529984');
    expect(up?.asks).toEqual([]);
    expect(up?.lastMid?.pricePips).toBe(9_550n);
    expect(up?.lastMid?.atMs).toBe(1785208462539);
  });
});
