import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { requestsWebSocket } from './webSocketRequest.ts';

/**
 * Limits of every port but those of the API and of the console: a slow or greedy caller costs only itself.
 * `docs/operate/limits.md` is generated from this table.
 */
export const portLimits = {
  connections: {
    value: 256,
    unit: 'connections',
    meaning: 'Open connections. A new one replaces the one without a complete request for the longest time.',
    reason: 'Keepers, scrapers and operators open a few each.',
  },
  headersMs: {
    value: 5_000,
    unit: 'ms',
    meaning: 'Time for the headers of a request to arrive.',
    reason: 'Headers fit into one packet of a program nearby.',
  },
  requestMs: {
    value: 5_000,
    unit: 'ms',
    meaning: 'Time for a whole request to arrive.',
    reason: 'The largest body, of a price signer, is 4 KiB.',
  },
  idleMs: {
    value: 15_000,
    unit: 'ms',
    meaning: 'Time from the end of an answer to the next whole request.',
    reason: 'Longer than a request takes to arrive, and than the interval at which keepers call.',
  },
  answerMs: {
    value: 15_000,
    unit: 'ms',
    meaning: 'Time until an answer has been taken by the client, from the moment its headers arrived.',
    reason: 'Price signers answer within 4.5 s, and metrics are less than a megabyte.',
  },
  requestsAtOnce: {
    value: 1,
    unit: 'request',
    meaning: 'Requests of one connection at a time. A pipelined one ends the connection.',
    reason: 'No client of these ports pipelines.',
  },
} as const;

/** Interval at which the deadlines are checked. */
const deadlineCheckMs = 1_000;

/**
 * Build a server whose connections, deadlines and requests are bounded by `portLimits`.
 * @param own Other limits, of a server that browsers use over slow lines.
 */
export function boundedServer(
  handle: RequestListener,
  own: {
    readonly connections?: number;
    readonly answerMs?: number;
    /** True for a request whose answer never ends: its handler bounds their number and drops slow readers. */
    readonly isStream?: (request: IncomingMessage) => boolean;
  } = {},
): Server {
  const { headersMs, requestMs, idleMs } = portLimits;
  const { connections = portLimits.connections.value, answerMs = portLimits.answerMs.value, isStream } = own;
  const deadlines = {
    headersTimeout: headersMs.value,
    requestTimeout: requestMs.value,
    keepAliveTimeout: idleMs.value,
    connectionsCheckingInterval: deadlineCheckMs,
    shouldUpgradeCallback: (request: IncomingMessage) =>
      server.listenerCount('upgrade') > 0 && requestsWebSocket(request),
  };
  const answering = new WeakSet<Socket>();
  const ends = new WeakMap<Socket, NodeJS.Timeout>();
  // The socket's own timeout would begin again with each byte that a client sends, also while it reads nothing.
  const endAfter = (socket: Socket, timeMs: number): void => {
    clearTimeout(ends.get(socket));
    if (!socket.destroyed) ends.set(socket, setTimeout(() => socket.destroy(), timeMs).unref());
  };
  const server: Server = createServer(deadlines, (request, response) => {
    const { socket } = request;
    if (answering.has(socket)) return void socket.destroy();
    answering.add(socket);
    if (isStream?.(request) === true) clearTimeout(ends.get(socket));
    else endAfter(socket, answerMs);
    response.once('close', () => {
      answering.delete(socket);
      endAfter(socket, idleMs.value);
    });
    handle(request, response);
  });
  server.on('connection', (socket) => {
    endAfter(socket, idleMs.value);
    socket.once('close', () => clearTimeout(ends.get(socket)));
  });
  boundConnections(server, connections);
  return server;
}

/**
 * Bound the open connections of a server. At the bound, the connection without a complete request for longest is
 * closed, so that idle or half-open connections lock no client out.
 */
function boundConnections(server: Server, maxCount: number): void {
  /** In the order of the last request, the longest silent first. */
  const sockets = new Set<Socket>();
  const busy = new Set<Socket>();
  server.on('connection', (socket) => {
    if (sockets.size >= maxCount) {
      const oldest = [...sockets].find((other) => !busy.has(other));
      if (oldest === undefined) return void socket.destroy();
      sockets.delete(oldest);
      oldest.destroy();
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    request.once('end', () => {
      busy.add(socket);
      // Moved to the end: every connection before it has been silent for longer.
      if (sockets.delete(socket)) sockets.add(socket);
    });
    response.once('close', () => busy.delete(socket));
  });
}
