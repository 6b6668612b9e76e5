import type { z } from 'zod';

/** A subscription frame by its schema; null for what is no JSON or no such frame. */
export function readFrame<Schema extends z.ZodType>(schema: Schema, frame: string): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(frame)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
