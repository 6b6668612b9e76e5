import { z } from 'zod';

/** Build the schema of a list; `total_count` only when `expand` contains it (specification, Conventions). */
export function listOf<Item extends z.ZodType>(item: Item, id: string) {
  return z.object({ data: z.array(item), has_more: z.boolean(), total_count: z.int().optional() }).meta({ id });
}

/** Wire form of a list. */
export interface ListWire<Item> {
  data: Item[];
  has_more: boolean;
  total_count?: number;
}
