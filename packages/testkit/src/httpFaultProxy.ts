import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Request as a rule receives it. */
export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly bodyText: string;
}

/**
 * Fault of a matched request.
 * - `drop`: the connection is cut before the upstream receives the request.
 * - `dropAnswer`: the upstream handles the request, then the connection is cut: accepted, but unknown to the client.
 * - `hang`: the upstream never receives the request and the client never gets an answer.
 * - `delay`: the answer is `delayMs` late.
 * - `answer`: a constructed answer replaces the upstream's.
 * - `rewrite`: the upstream receives another body.
 */
export type HttpFault =
  | { readonly kind: 'drop' | 'dropAnswer' | 'hang' }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'answer'; readonly status: number; readonly bodyText: string }
  | { readonly kind: 'rewrite'; readonly toBody: (bodyText: string) => string };

/** A fault for the next `times` requests that match; the first rule that matches wins. */
export interface HttpFaultRule {
  readonly matches: (request: ProxiedRequest) => boolean;
  readonly fault: HttpFault;
  readonly times: number;
}

export interface HttpFaultProxy {
  readonly url: string;
  /** Append a rule. */
  addRule(rule: HttpFaultRule): void;
  clearRules(): void;
  /** Return every request so far, faulted or not. */
  requests(): readonly ProxiedRequest[];
  close(): Promise<void>;
}

/** Match JSON-RPC calls of one method. */
export function jsonRpcMethod(method: string): HttpFaultRule['matches'] {
  return (request) => request.bodyText.includes(`"method":"${method}"`);
}

/** Fault of a node that stands still at a block: it answers every question about the last block for this one. */
export const stillAt = (blockNumber: bigint): HttpFault => ({
  kind: 'rewrite',
  toBody: (bodyText) => bodyText.replaceAll('"latest"', `"0x${blockNumber.toString(16)}"`),
});

/** Start an HTTP proxy on 127.0.0.1 in front of `targetUrl` that fails on request; without rules it is transparent. */
export async function startHttpFaultProxy(targetUrl: string): Promise<HttpFaultProxy> {
  const rules: { rule: HttpFaultRule; left: number }[] = [];
  const received: ProxiedRequest[] = [];

  const takeFault = (request: ProxiedRequest): HttpFault | null => {
    const entry = rules.find(({ rule, left }) => left > 0 && rule.matches(request));
    if (entry === undefined) return null;
    entry.left -= 1;
    return entry.rule.fault;
  };

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    const stream: AsyncIterable<Buffer> = incoming;
    for await (const piece of stream) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const request = { method: incoming.method ?? 'GET', path: incoming.url ?? '/', bodyText: body.toString() };
    received.push(request);
    const fault = takeFault(request);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'drop') {
      response.destroy();
      return;
    }
    if (fault?.kind === 'answer') {
      response.writeHead(fault.status, { 'content-type': 'application/json' }).end(fault.bodyText);
      return;
    }
    const forwarded = fault?.kind === 'rewrite' ? Buffer.from(fault.toBody(request.bodyText)) : body;
    const answer = await forward(targetUrl, incoming, forwarded);
    if (fault?.kind === 'dropAnswer') {
      response.destroy();
      return;
    }
    if (fault?.kind === 'delay') await new Promise((done) => setTimeout(done, fault.delayMs));
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const port = Number(Object(server.address()).port);
  return {
    url: `http://127.0.0.1:${port}`,
    addRule: (rule) => {
      rules.push({ rule, left: rule.times });
    },
    clearRules: () => {
      rules.length = 0;
    },
    requests: () => received,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(targetUrl: string, incoming: IncomingMessage, body: Buffer) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    // Connection-level headers belong to one hop; the length is computed again.
    if (typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name)) headers.set(name, value);
  }
  const method = incoming.method ?? 'GET';
  const answer = await fetch(new URL(incoming.url ?? '/', targetUrl), {
    method,
    headers,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
  });
  const answerHeaders = Object.fromEntries(
    [...answer.headers].filter(([name]) => !['content-encoding', 'content-length', 'connection'].includes(name)),
  );
  return { status: answer.status, headers: answerHeaders, body: Buffer.from(await answer.arrayBuffer()) };
}
