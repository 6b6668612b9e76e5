import { z } from 'zod';

/** Response of POST /sample-events: number of events, one per interval. */
export const sampleEventRun = z.object({ event_count: z.int(), interval_ms: z.int() }).meta({ id: 'SampleEventRun' });
