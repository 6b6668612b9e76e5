import type { CatalogueQuery } from '../port/venueClient.ts';

/**
 * Position in the catalogue. The venue has two lists: an old one, paged by offset or by a cursor of its own, which
 * refuses offsets beyond some number, and one paged by the key of its last record.
 */
export type CataloguePosition =
  | {
      readonly list: 'offset';
      readonly offset: number;
      /** Slug of the first record of the page before; null on the first page. */
      readonly previousSlug: string | null;
    }
  | { readonly list: 'cursor'; readonly cursor: string }
  | { readonly list: 'keyset'; readonly after: string | null };

/** Records of one page as the venue wrote them, and its own cursor where it sent one. */
export interface WirePage {
  readonly records: readonly unknown[];
  readonly nextCursor: string | null;
}

/** List of the catalogue that a pass begins with. */
export type CatalogueList = 'offset' | 'keyset';

export const oldListStart: CataloguePosition = { list: 'offset', offset: 0, previousSlug: null };
export const keysetStart: CataloguePosition = { list: 'keyset', after: null };

/** The venue's base64 cursor that means "no further page". */
const endCursor = 'LTE=';
const offsetPattern = /^offset:(\d{1,9}):(.*)$/s;
const keysetPrefix = 'keyset:';
/** Records per page of the keyset list: the venue cuts a larger limit down to it. */
const keysetLimit = 100;

/** Return the position that a cursor of an earlier page names. */
export function positionOf(cursor: string): CataloguePosition {
  const [, offset, previousSlug] = offsetPattern.exec(cursor) ?? [];
  if (offset !== undefined) return { list: 'offset', offset: Number(offset), previousSlug: previousSlug || null };
  if (cursor.startsWith(keysetPrefix)) return { list: 'keyset', after: cursor.slice(keysetPrefix.length) };
  return { list: 'cursor', cursor };
}

/** Return the path and the parameters of the request for one page. */
export function pageRequestOf(position: CataloguePosition, query: CatalogueQuery): readonly [string, URLSearchParams] {
  const isKeyset = position.list === 'keyset';
  const parameters = new URLSearchParams({
    limit: String(isKeyset ? Math.min(query.limit, keysetLimit) : query.limit),
    ...(query.closed === undefined ? {} : { closed: String(query.closed) }),
    ...(position.list === 'offset' && position.offset > 0 ? { offset: String(position.offset) } : {}),
    ...(position.list === 'cursor' ? { cursor: position.cursor } : {}),
    ...(isKeyset && position.after !== null ? { after_cursor: position.after } : {}),
  });
  for (const conditionId of query.conditionIds ?? []) parameters.append('condition_ids', conditionId);
  return [isKeyset ? '/markets/keyset' : '/markets', parameters];
}

const slugOf = (record: unknown): string =>
  typeof record === 'object' && record !== null && 'slug' in record && typeof record.slug === 'string'
    ? record.slug
    : '';

/**
 * Return the cursor of the page after this one; null on the last page. The venue cuts pages down, so a short page is
 * not the end: a list without cursors ends with an empty page, or with one that begins as the page before it did.
 */
export function nextCursorOf(position: CataloguePosition, { records, nextCursor }: WirePage): string | null {
  if (position.list === 'keyset') {
    const isEnd = nextCursor === null || nextCursor === endCursor || nextCursor === position.after;
    return isEnd ? null : `${keysetPrefix}${nextCursor}`;
  }
  if (nextCursor !== null) {
    const isRepeated = position.list === 'cursor' && nextCursor === position.cursor;
    return nextCursor === endCursor || isRepeated ? null : nextCursor;
  }
  if (position.list === 'cursor' || records.length === 0) return null;
  const firstSlug = slugOf(records[0]);
  if (firstSlug !== '' && firstSlug === position.previousSlug) return null;
  return `offset:${position.offset + records.length}:${firstSlug}`;
}
