export { inPositionSpan, inRequestSpan, noteOnSpan, traceFieldsOf, traceHeaders } from './spans.ts';
export { startTracing, type Tracing } from './startTracing.ts';
