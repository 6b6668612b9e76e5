import type { IncomingMessage } from 'node:http';

/**
 * Return true for a request that offers a web socket. A server ignores the offer of any other protocol, as Java's client
 * makes it for HTTP/2 with every request, and answers the request itself (RFC 9110, 7.8).
 */
export const offersWebSocket = ({ headers }: IncomingMessage): boolean =>
  (headers.upgrade ?? '').split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket');
