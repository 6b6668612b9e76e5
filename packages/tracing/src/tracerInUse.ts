import type { Tracer } from '@opentelemetry/api';
import type { TraceIds } from './traceIds.ts';

/** Tracer of the process with its generator of ids. */
export interface TracerInUse {
  readonly tracer: Tracer;
  readonly ids: TraceIds;
}

let current: TracerInUse | null = null;

/** Return the tracer of the process; null while tracing is off. */
export function tracerInUse(): TracerInUse | null {
  return current;
}

/** Set the tracer of the process, or null. */
export function setTracerInUse(tracer: TracerInUse | null): void {
  current = tracer;
}
