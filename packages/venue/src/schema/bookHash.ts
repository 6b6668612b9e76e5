import { createHash } from 'node:crypto';

/** The fields of a wire book that its hash covers, as written by the venue. */
export interface HashedBook {
  readonly market: string;
  readonly asset_id: string;
  readonly timestamp: string;
  readonly hash?: string | null | undefined;
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
  readonly min_order_size?: string | null | undefined;
  readonly tick_size?: string | null | undefined;
  readonly neg_risk?: boolean | null | undefined;
  readonly last_trade_price?: string | null | undefined;
}

const bare = ({ price, size }: { readonly price: string; readonly size: string }) => ({ price, size });

/** SHA-1 in hexadecimal of the compact JSON of the book with an empty hash, fields in the venue's order. */
export function bookHashOf(book: HashedBook): string {
  const content = JSON.stringify({
    market: book.market,
    asset_id: book.asset_id,
    timestamp: book.timestamp,
    hash: '',
    bids: book.bids.map(bare),
    asks: book.asks.map(bare),
    min_order_size: book.min_order_size,
    tick_size: book.tick_size,
    neg_risk: book.neg_risk,
    last_trade_price: book.last_trade_price,
  });
  return createHash('sha1').update(content).digest('hex');
}

/** Return whether the book has its own hash; null without a hash, or without a field that the hash covers. */
export function isBookHashValid(book: HashedBook): boolean | null {
  const covered = [book.hash || null, book.min_order_size, book.tick_size, book.neg_risk, book.last_trade_price];
  return covered.some((field) => field === null || field === undefined) ? null : bookHashOf(book) === book.hash;
}
