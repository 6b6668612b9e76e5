import type { IncomingMessage, ServerResponse } from 'node:http';
import { boundedServer } from './boundedServer.ts';
import { type Listening, listen } from './listen.ts';

/** Readiness of a program, with the details shown of it. */
export interface Readiness {
  readonly isReady: boolean;
  readonly detail: object;
}

/** Routes and figures by which a program is observed. */
export interface Operations {
  /** Prometheus text. */
  readonly registry: { readonly contentType: string; metrics(): Promise<string> };
  readonly readiness: () => Readiness | Promise<Readiness>;
  /** Further facts for operators, by path: read on the loopback port alone, never where users call. */
  readonly facts?: Readonly<Record<string, () => Promise<object>>>;
}

export interface OperationsAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Return the answer to `GET /metrics` (Prometheus), `/healthz` (the process answers) and `/readyz` (200 or 503); null
 * for anything else.
 */
export async function operationsAnswerOf(
  operations: Operations,
  request: Pick<IncomingMessage, 'method' | 'url'>,
): Promise<OperationsAnswer | null> {
  if (request.method !== 'GET') return null;
  if (request.url === '/metrics') {
    const { registry } = operations;
    return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
  }
  if (request.url === '/healthz') return jsonAnswer(200, { status: 'ok' });
  if (request.url !== '/readyz') return null;
  const { isReady, detail } = await operations.readiness();
  return jsonAnswer(isReady ? 200 : 503, detail);
}

/** Names by which this machine calls itself. */
const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * A further fact; null where there is none of that path. A page of the web, and a name that someone points at this
 * machine, are refused.
 */
async function factAnswerOf({ facts = {} }: Operations, request: IncomingMessage): Promise<OperationsAnswer | null> {
  const path = request.url ?? '';
  const fact = Object.hasOwn(facts, path) ? facts[path] : undefined;
  if (request.method !== 'GET' || fact === undefined) return null;
  const { host = '', origin } = request.headers;
  const isOfThisMachine = loopbackNames.has(host.replace(/:\d+$/, '')) && origin === undefined;
  return isOfThisMachine ? jsonAnswer(200, await fact()) : jsonAnswer(403, { status: 'forbidden' });
}

/** Serve these routes, and nothing else, on a port of the loopback address, or of another host; 0 takes a free one. */
export function startOperationsServer(
  operations: Operations,
  address: { readonly port: number; readonly host?: string },
): Promise<Listening> {
  const answerOf = async (request: IncomingMessage): Promise<OperationsAnswer | null> =>
    (await operationsAnswerOf(operations, request)) ?? factAnswerOf(operations, request);
  const server = boundedServer((request, response) => {
    answerOf(request).then(
      (answer) => sendAnswer(response, answer ?? jsonAnswer(404, { status: 'not_found' })),
      () => sendAnswer(response, jsonAnswer(500, { status: 'failed' })),
    );
  });
  return listen(server, address);
}

/** Write an answer, unless its receiver disconnected. */
export function sendAnswer(response: ServerResponse, { status, contentType, body }: OperationsAnswer): void {
  if (!response.destroyed) response.writeHead(status, { 'content-type': contentType }).end(body);
}

function jsonAnswer(status: number, body: object): OperationsAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(body) };
}
