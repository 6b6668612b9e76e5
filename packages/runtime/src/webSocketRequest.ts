import type { IncomingMessage } from 'node:http';

/**
 * Return true for a request to switch to web sockets. A server ignores requests to switch to any other protocol and
 * answers the call itself (RFC 9110, 7.8). Java's client makes one for HTTP/2 with every call.
 */
export const requestsWebSocket = ({ headers }: IncomingMessage): boolean =>
  (headers.upgrade ?? '').split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket');
