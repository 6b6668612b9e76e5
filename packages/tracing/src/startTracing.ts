import { setTracerInUse } from './tracerInUse.ts';

export interface TracingOptions {
  /** Name under which the collector shows the program. */
  readonly program: string;
  /** Base address of a collector that takes OTLP over HTTP: spans go to `/v1/traces` below it. */
  readonly collectorUrl: string;
  /** Share of the traces that are recorded, 0 to 1. Decided by the id, so that all programs record the same ones. */
  readonly share: number;
  /** Report of each batch that the collector did not take. */
  readonly onLost: (error: unknown) => void;
}

export interface Tracing {
  /** Send what is left, for at most two seconds. */
  close(): Promise<void>;
}

/** Most spans that wait for the collector; further ones are dropped. */
const maxWaitingSpans = 2_048;
const sendEveryMs = 1_000;
/** Time for one batch: a collector that does not answer holds nothing but its own batch. */
const sendTimeoutMs = 5_000;
const closeMs = 2_000;

/**
 * Start to record spans and to send them to a collector. The packages of OpenTelemetry are loaded here: a program
 * without a collector does not pay for them. One tracing at a time in a process.
 */
export async function startTracing({ program, collectorUrl, share, onLost }: TracingOptions): Promise<Tracing> {
  const [{ context, propagation }, contexts, core, exporting, resources, sdk, { TraceIds }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
    import('./traceIds.ts'),
  ]);
  core.setGlobalErrorHandler(onLost);
  const exporter = new exporting.OTLPTraceExporter({
    url: new URL('v1/traces', `${collectorUrl.replace(/\/*$/, '')}/`).href,
    timeoutMillis: sendTimeoutMs,
  });
  const ids = new TraceIds(new sdk.RandomIdGenerator());
  const provider = new sdk.TracerProvider({
    idGenerator: ids,
    resource: resources.resourceFromAttributes({ 'service.name': program }),
    sampler: new sdk.TraceIdRatioBasedSampler(share),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        maxQueueSize: maxWaitingSpans,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: sendTimeoutMs,
      }),
    ],
  });
  const manager = new contexts.AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  setTracerInUse({ tracer: provider.getTracer(program), ids });
  return {
    close: async () => {
      setTracerInUse(null);
      await Promise.race([
        provider.shutdown().catch(onLost),
        new Promise((resolve) => setTimeout(resolve, closeMs).unref()),
      ]);
      context.disable();
      propagation.disable();
    },
  };
}
