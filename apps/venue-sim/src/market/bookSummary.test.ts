import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { bookHashOf } from './bookSummary.ts';

const dataFolder = process.env['SHARED_DATA'] ?? join(import.meta.dirname, '../../../../../shared/data');
const booksFile = join(dataFolder, 'venue/books.jsonl');
/** The recorded books, none where the records are absent. */
const lines = existsSync(booksFile) ? readFileSync(booksFile, 'utf8').trim().split('\n') : [];

describe('the hash of a book', () => {
  it(`is that of every recorded book (${lines.length === 0 ? 'records absent: set SHARED_DATA' : lines.length})`, () => {
    for (const line of lines) {
      const book = JSON.parse(line);
      const summary = {
        market: book.market,
        asset_id: book.asset_id,
        timestamp: String(book.timestamp_ms),
        hash: '',
        bids: book.bids,
        asks: book.asks,
        min_order_size: book.min_order_size,
        tick_size: book.tick_size,
        neg_risk: book.neg_risk,
        last_trade_price: book.last_trade_price,
      };
      expect(bookHashOf(summary)).toBe(book.hash);
    }
    expect(lines.length).toBeGreaterThanOrEqual(0);
  });
});
