import type { Server } from 'node:http';

/** An HTTP server that takes connections. */
export interface Listening {
  /** Origin, without a slash at the end. */
  readonly url: string;
  /** Takes no more connections and resolves when the requests under way are answered. */
  close(): Promise<void>;
}

/**
 * Connections that may wait to be accepted; the system's own limit is lower on many machines. With the usual 511 a
 * rush of a thousand clients leaves hundreds to find out by themselves, a second or three later, that they were missed.
 */
const backlog = 4_096;

/**
 * Opens the server on the loopback address, or on another host. Port 0 takes a free one.
 * @throws the error of the system when the port cannot be had.
 */
export function listen(
  server: Server,
  { port, host = '127.0.0.1' }: { readonly port: number; readonly host?: string },
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      const bound = server.address();
      const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
      resolve({ url: `http://${host}:${boundPort}`, close: () => close(server) });
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((cause) => (cause === undefined ? resolve() : reject(cause)));
    server.closeIdleConnections();
  });
}
