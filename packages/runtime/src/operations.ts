import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Listening, listen } from './listen.ts';

/** Whether a program can do its work now, and what of it is shown. */
export interface Readiness {
  readonly isReady: boolean;
  readonly detail: object;
}

/** What a program shows of its running. */
export interface Operations {
  /** Prometheus text. */
  readonly registry: { readonly contentType: string; metrics(): Promise<string> };
  readonly readiness: () => Readiness | Promise<Readiness>;
  /** Further facts for operators, by path: read on the loopback port alone, never where users call. */
  readonly facts?: Readonly<Record<`/${string}`, () => Promise<object>>>;
}

export interface OperationsAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Answers `GET /metrics` (Prometheus), `/healthz` (the process answers) and `/readyz` (200 or 503); null for anything
 * else.
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
  const fact = Object.hasOwn(facts, path) ? facts[path as `/${string}`] : undefined;
  if (request.method !== 'GET' || fact === undefined) return null;
  const { host = '', origin } = request.headers;
  const isOfThisMachine = loopbackNames.has(host.replace(/:\d+$/, '')) && origin === undefined;
  return isOfThisMachine ? jsonAnswer(200, await fact()) : jsonAnswer(403, { status: 'forbidden' });
}

/** Serves all of it, and nothing else, on a port of the loopback address; 0 takes a free one. */
export function startOperationsServer(operations: Operations, port: number): Promise<Listening> {
  const answerOf = async (request: IncomingMessage): Promise<OperationsAnswer | null> =>
    (await operationsAnswerOf(operations, request)) ?? factAnswerOf(operations, request);
  const server = createServer((request, response) => {
    answerOf(request).then(
      (answer) => sendAnswer(response, answer ?? jsonAnswer(404, { status: 'not_found' })),
      () => sendAnswer(response, jsonAnswer(500, { status: 'failed' })),
    );
  });
  return listen(server, { port });
}

/** Writes an answer, unless its receiver has gone. */
export function sendAnswer(response: ServerResponse, { status, contentType, body }: OperationsAnswer): void {
  if (!response.destroyed) response.writeHead(status, { 'content-type': contentType }).end(body);
}

function jsonAnswer(status: number, body: object): OperationsAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(body) };
}
