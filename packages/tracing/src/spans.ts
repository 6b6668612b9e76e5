import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { positionTraceIdOf } from './positionTrace.ts';
import { tracerInUse } from './tracerInUse.ts';

/** Values of a span; none is a secret. */
type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** Name and values of a span. */
interface NamedSpan {
  readonly name: string;
  readonly facts?: SpanFacts;
}

/**
 * Run work for a position in a span of that position's trace: below the active span when that is of the same trace,
 * else beside the others of the trace and linked with the active one. Work for anything else has a span below the
 * active one. Without tracing it is the work alone.
 *
 * @param subject Key of a position, or a name of something else.
 */
export function inPositionSpan<Result>(
  subject: string,
  { name, facts = {} }: NamedSpan,
  work: () => Promise<Result>,
): Promise<Result> {
  const tracing = tracerInUse();
  if (tracing === null) return work();
  const { tracer, ids } = tracing;
  const traceId = positionTraceIdOf(subject);
  const attributes: Attributes = { ...facts, subject };
  const active = trace.getActiveSpan();
  if (traceId === null || active?.spanContext().traceId === traceId) {
    return runIn(tracer.startSpan(name, { attributes }), context.active(), work);
  }
  const links = active === undefined ? [] : [{ context: active.spanContext() }];
  const span = ids.withTraceId(traceId, () => tracer.startSpan(name, { root: true, attributes, links }));
  active?.addLink({ context: span.spanContext() });
  return runIn(span, context.active(), work);
}

/** Run the work of a received request in a span, below that of its sender where the headers name one. */
export function inRequestSpan<Result>(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  { name, facts = {} }: NamedSpan,
  work: () => Promise<Result>,
): Promise<Result> {
  const tracing = tracerInUse();
  if (tracing === null) return work();
  const parent = propagation.extract(context.active(), headers);
  const span = tracing.tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...facts } }, parent);
  return runIn(span, parent, work);
}

/** Add values to the active span, for what is known only after its start. */
export function noteOnSpan(facts: SpanFacts): void {
  if (tracerInUse() !== null) trace.getActiveSpan()?.setAttributes({ ...facts });
}

/** Return the headers that name the active span to the receiver of a request. Empty without one. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  if (tracerInUse() !== null) propagation.inject(context.active(), headers);
  return headers;
}

/**
 * Return the ids of the active span for a line of the log; without one, the trace of the position that the line is
 * about. Empty for any other line, and without tracing.
 */
export function traceFieldsOf(line: { readonly positionKey?: unknown } = {}): Readonly<Record<string, string>> {
  if (tracerInUse() === null) return {};
  const active = trace.getActiveSpan()?.spanContext();
  if (active !== undefined) return { traceId: active.traceId, spanId: active.spanId };
  const traceId = typeof line.positionKey === 'string' ? positionTraceIdOf(line.positionKey) : null;
  return traceId === null ? {} : { traceId };
}

async function runIn<Result>(span: Span, parent: Context, work: () => Promise<Result>): Promise<Result> {
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    // The message stays out of the trace: it may hold what only the log redacts.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}
