import { type ErrorCode, type ErrorDefinition, errorTable } from '@core/errors';
import { z } from 'zod';
import type { RouteDefinition } from './route.ts';

/**
 * Return the fields of an object schema by name.
 *
 * @throws TypeError for any other schema.
 */
export function fieldsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  if (!(schema instanceof z.ZodObject)) throw new TypeError('parameters are described by an object schema');
  const shape: Record<string, z.ZodType> = {};
  for (const [name, field] of Object.entries(schema.shape)) if (field instanceof z.ZodType) shape[name] = field;
  return shape;
}

/** Return the request field of a route that a code is about, or null: `param` of the error. */
export function fieldAtFault(
  route: Pick<RouteDefinition, 'params' | 'query' | 'body'>,
  code: ErrorCode,
): string | null {
  const { fields }: ErrorDefinition = errorTable[code];
  if (fields === undefined) return null;
  const parts = [route.params, route.query, route.body];
  const names = new Set(parts.flatMap((part) => (part instanceof z.ZodObject ? Object.keys(part.shape) : [])));
  return fields.find((field) => names.has(field)) ?? null;
}
