import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Span as a collector receives it. */
export interface CollectedSpan {
  /** Program that sent it. */
  readonly program: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty without a parent. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Traces of its links. */
  readonly linkedTraceIds: readonly string[];
  readonly hasFailed: boolean;
}

export interface Collector {
  readonly url: string;
  spans(): readonly CollectedSpan[];
  /** Wait until the spans satisfy a condition. The time limit of the test ends the wait. */
  until(isMet: (spans: readonly CollectedSpan[]) => boolean): Promise<readonly CollectedSpan[]>;
  close(): Promise<void>;
}

const pollMs = 20;
const errorStatus = 2;

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly links?: readonly { readonly traceId: string }[];
  readonly status: { readonly code?: number };
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** Start a collector that takes OTLP over HTTP, in JSON, on loopback. @param answer False to take and never answer. */
export async function startCollector(answer = true): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const take = async (request: IncomingMessage): Promise<void> => {
    const received: OtlpRequest = JSON.parse(await textOf(request));
    if (request.url === '/v1/traces') spans.push(...collectedOf(received));
  };
  const server = createServer((request, response) => {
    take(request).then(
      () => answer && response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => spans,
    until: async (isMet) => {
      while (!isMet(spans)) await delay(pollMs);
      return spans;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}

function collectedOf({ resourceSpans }: OtlpRequest): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const program = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => spanOf(program, span)));
  });
}

function spanOf(program: string, span: OtlpSpan): CollectedSpan {
  const { name, traceId, spanId, parentSpanId = '', attributes, links = [], status } = span;
  return {
    program,
    name,
    traceId,
    spanId,
    parentSpanId,
    attributes: valuesOf(attributes),
    linkedTraceIds: links.map((link) => link.traceId),
    hasFailed: status.code === errorStatus,
  };
}

/** A value has one field, named after its type. */
function valuesOf(attributes: readonly OtlpAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
