import type { ListWire } from '@core/wire';

/** One page of a sorted list. */
interface Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
}

/**
 * Cut one page out of a list that is already sorted. `starting_after` gives the items after the cursor;
 * `ending_before` the page just before it, and `hasMore` then looks backwards.
 */
export function pageOf<Item>(
  sorted: readonly Item[],
  page: {
    readonly limit: number;
    /** True for items that stand after the `starting_after` cursor; null without one. */
    readonly isAfterStart: ((item: Item) => boolean) | null;
    /** True for items that stand before the `ending_before` cursor; null without one. */
    readonly isBeforeEnd: ((item: Item) => boolean) | null;
  },
): Page<Item> {
  const { limit, isAfterStart, isBeforeEnd } = page;
  if (isBeforeEnd !== null) {
    const before = sorted.filter((item) => isBeforeEnd(item));
    return { data: before.slice(-limit), hasMore: before.length > limit };
  }
  const after = isAfterStart === null ? sorted : sorted.filter((item) => isAfterStart(item));
  return { data: after.slice(0, limit), hasMore: after.length > limit };
}

/** The list envelope; the total is null when the query does not ask for it. */
export function presentList<Item>(list: {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  readonly totalCount: number | null;
}): ListWire<Item> {
  const { data, hasMore, totalCount } = list;
  return { data: [...data], has_more: hasMore, ...(totalCount !== null && { total_count: totalCount }) };
}

/** The same of items that are JSON already, as JSON. */
export function listJsonOf(list: {
  readonly data: readonly string[];
  readonly hasMore: boolean;
  readonly totalCount: number | null;
}): string {
  const { data: _items, ...rest } = presentList({ ...list, data: [] });
  return `{"data":[${list.data.join()}],${JSON.stringify(rest).slice(1)}`;
}
