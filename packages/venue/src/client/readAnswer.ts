import { z } from 'zod';
import type { PlacedOrder } from '../port/venueClient.ts';
import { venueFault, venueMalformedFault } from '../port/venueFault.ts';
import { placedOrderOf, placedOrderSchema } from '../schema/orders.ts';
import type { HttpAnswer } from './httpRequest.ts';

/**
 * Read a body with a schema.
 * @throws VenueFault when the answer is malformed.
 */
export const read = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw venueMalformedFault(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  return parsed.data;
};

/** The value, or a malformed answer when the wire held something that could not be read exactly. */
export const readable = <Value>(value: Value | null, what: string): Value => {
  if (value === null) {
    throw venueMalformedFault(`${what} cannot be read`);
  }
  return value;
};

export const cataloguePageSchema = z.union([
  z.array(z.unknown()).transform((records) => ({ records, nextCursor: null })),
  z
    .looseObject({ markets: z.array(z.unknown()), next_cursor: z.string().nullish() })
    .transform(({ markets, next_cursor }) => ({ records: markets, nextCursor: next_cursor || null })),
  z
    .looseObject({ data: z.array(z.unknown()), next_cursor: z.string().nullish() })
    .transform(({ data, next_cursor }) => ({ records: data, nextCursor: next_cursor || null })),
]);

export const listSchema = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), z.looseObject({ data: z.array(item) }).transform(({ data }) => data)]);

/** A refusal may come with any status; what is neither a refusal nor a whole answer may have been taken. */
export const readPlacedOrder = ({ status, body }: HttpAnswer): PlacedOrder => {
  const answer = read(placedOrderSchema, body);
  const refusal = answer.errorMsg || answer.error || '';
  if (answer.success === false || refusal !== '') {
    throw venueFault({ status, text: refusal });
  }
  const placed = readable(placedOrderOf(answer), 'order answer');
  // An order that found no counterparty and does not rest is over.
  if (placed.status === 'unmatched' && placed.tradeIds.length === 0) {
    throw venueFault({ status, text: 'no match is found' });
  }
  return placed;
};
