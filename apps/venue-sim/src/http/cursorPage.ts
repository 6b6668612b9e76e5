import type { Request } from 'express';

const firstCursor = 'MA==';
const endCursor = 'LTE=';
/** Records per page of the order server's lists. */
const pageLimit = 500;

/** Return a query parameter as text; null when it is absent, empty or a list. */
export const queryText = ({ query }: Request, name: string): string | null => {
  const value = query[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const offsetOf = (cursor: string): number => {
  const text = Buffer.from(cursor, 'base64').toString();
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
};

/** Return one page of a list with the order server's cursor, which counts records. */
export function cursorPageOf<Item>(request: Request, all: readonly Item[], present: (item: Item) => unknown) {
  const cursor = queryText(request, 'next_cursor') ?? firstCursor;
  const offset = cursor === endCursor ? all.length : offsetOf(cursor);
  const data = all.slice(offset, offset + pageLimit).map(present);
  const nextOffset = offset + data.length;
  return {
    limit: pageLimit,
    count: data.length,
    next_cursor: nextOffset < all.length ? Buffer.from(String(nextOffset)).toString('base64') : endCursor,
    data,
  };
}
