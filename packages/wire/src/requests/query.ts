import { z } from 'zod';
import { parameterDescriptions } from './parameterSchemas.ts';

/** Build the schema of `expand`: a comma-separated list of the keys that the endpoint allows. */
export function expandOf<const Keys extends readonly [string, ...string[]]>(keys: Keys) {
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(keys)))
    .optional()
    .register(parameterDescriptions, { type: 'string', description: `Comma-separated list of: ${keys.join(', ')}` });
}

/** Size of a page (specification, Pagination). */
const pageSize = { minimum: 1, maximum: 100, default: 25 } as const;
const pageSizeRule = `must be from ${pageSize.minimum} to ${pageSize.maximum}`;

const limit = z
  .string()
  .regex(/^\d{1,4}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.number().int().min(pageSize.minimum, pageSizeRule).max(pageSize.maximum, pageSizeRule))
  .prefault(String(pageSize.default))
  .register(parameterDescriptions, {
    type: 'integer',
    description: 'Page size',
    ...pageSize,
  });

const cursor = z.string().min(1).max(200);

/** Page fields of every list. Add `exclusiveCursors` as a refinement. */
export const pageFields = {
  limit,
  starting_after: cursor.optional().register(parameterDescriptions, {
    type: 'string',
    description:
      'Results after this object: a ticker for markets, an ID for positions, `executed_at` for partial closes',
  }),
  ending_before: cursor.optional().register(parameterDescriptions, {
    type: 'string',
    description:
      'Results before this object: a ticker for markets, an ID for positions, `executed_at` for partial closes',
  }),
};

/** Build a refinement that refuses two fields of which only one may be present. */
export function exclusive<A extends string, B extends string>(a: A, b: B) {
  return (query: object, context: z.core.$RefinementCtx): void => {
    if (!(a in query && b in query)) return;
    const both = Object.entries(query).filter(([key, value]) => (key === a || key === b) && value !== undefined);
    if (both.length === 2) {
      context.issues.push({ code: 'custom', input: query, path: [b], message: `must not be given together with ${a}` });
    }
  };
}

/** `true` or `false`. */
export const booleanText = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Name in a path, a query or a body. It may have any form: a malformed name is answered like an unknown one. */
export const nameText = z.string();

/** Query of a route without parameters. */
export const noQuery = z.strictObject({});
