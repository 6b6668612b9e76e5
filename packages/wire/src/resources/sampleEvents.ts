import { z } from 'zod';

/** Answer of POST /sample-events: how many events follow, one per interval. */
export const sampleEventRun = z.object({ event_count: z.int(), interval_ms: z.int() }).meta({ id: 'SampleEventRun' });
