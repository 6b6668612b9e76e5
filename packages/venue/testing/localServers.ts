import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** Answer of a handler: a status with a JSON body or raw text, `hang` to never answer, or `reset` to cut the line. */
export type Reply =
  | {
      readonly status?: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | 'hang'
  | 'reset';

export interface SeenRequest {
  readonly method: string;
  /** Path with its query. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface LocalServer {
  readonly url: string;
  readonly wsUrl: string;
  readonly requests: SeenRequest[];
  /** Connections of the socket side that are open now. */
  readonly sockets: Set<WebSocket>;
  /** Text frames received, over all connections. */
  readonly frames: string[];
  close(): Promise<void>;
}

export interface LocalServerOptions {
  readonly reply?: (request: SeenRequest) => Reply | Promise<Reply>;
  readonly onConnection?: (socket: WebSocket) => void;
  readonly onFrame?: (socket: WebSocket, text: string) => void;
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
};

const send = (response: ServerResponse, reply: Exclude<Reply, string>): void => {
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
  response.end(reply.text ?? JSON.stringify(reply.json ?? null));
};

/** A real HTTP and WebSocket server on an ephemeral port of 127.0.0.1, answering as the test says. */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<WebSocket>();
  const frames: string[] = [];
  const server = createServer((incoming, response) => {
    void (async () => {
      const url = incoming.url ?? '/';
      const { pathname, searchParams } = new URL(url, 'http://local');
      const entry: SeenRequest = {
        method: incoming.method ?? 'GET',
        url,
        path: pathname,
        query: searchParams,
        headers: incoming.headers,
        body: await bodyOf(incoming),
      };
      requests.push(entry);
      const reply = (await options.reply?.(entry)) ?? { status: 404, json: { error: 'nothing here' } };
      if (reply === 'reset') {
        incoming.socket.resetAndDestroy();
      } else if (reply !== 'hang') {
        send(response, reply);
      }
    })();
  });
  const socketServer = new WebSocketServer({ server });
  socketServer.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('message', (data) => {
      frames.push(String(data));
      options.onFrame?.(socket, String(data));
    });
    options.onConnection?.(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    requests,
    sockets,
    frames,
    close: async () => {
      for (const socket of sockets) {
        socket.terminate();
      }
      server.closeAllConnections();
      await new Promise<void>((done) => {
        socketServer.close();
        server.close(() => done());
      });
    },
  };
}

/** Wait until the condition holds; otherwise the test fails with the condition's text. */
export async function until(condition: () => boolean, timeoutMs = 40_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) {
      throw new Error(`waited ${timeoutMs} ms in vain for: ${String(condition)}`);
    }
    await new Promise((done) => setTimeout(done, 5));
  }
}
