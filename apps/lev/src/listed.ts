import { type Answer, tableOf } from './answer.ts';

/** Items of a list up to a limit, with a flag for further items. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

/** Read a list up to a limit. One more item is read to learn whether the list continues. */
export async function listUpTo<Item>(list: AsyncIterable<Item>, limit: number): Promise<Listed<Item>> {
  const items: Item[] = [];
  for await (const item of list) {
    if (items.length >= limit) return { items, hasMore: true };
    items.push(item);
  }
  return { items, hasMore: false };
}

/** Return a list as a table, with a hint when it is empty or truncated. */
export function listAnswer<Item>(
  { items, hasMore }: Listed<Item>,
  shape: {
    readonly heads: readonly string[];
    readonly rowOf: (item: Item) => readonly string[];
    readonly whenEmpty: string;
  },
): Answer {
  if (items.length === 0) return { value: items, text: shape.whenEmpty };
  const table = tableOf(shape.heads, items.map(shape.rowOf));
  const more = hasMore ? `\n… more exist: the first ${items.length} are shown; add --limit ${items.length * 4}` : '';
  return { value: items, text: `${table}${more}` };
}
