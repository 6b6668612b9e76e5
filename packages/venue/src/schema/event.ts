import { z } from 'zod';
import { decimalText, informative } from './wireTypes.ts';

/** One record of `GET /events`: an event and the markets in it, by condition. */
export const eventRecordSchema = z.looseObject({
  id: informative(decimalText),
  slug: z.string(),
  title: informative(z.string()),
  active: informative(z.boolean()),
  closed: informative(z.boolean()),
  markets: z.array(z.looseObject({ conditionId: z.string(), slug: informative(z.string()) })).default([]),
});

export type EventRecord = z.output<typeof eventRecordSchema>;
