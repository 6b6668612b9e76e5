import type { Server } from 'node:http';

/** An HTTP server that takes connections. */
export interface Listening {
  /** Origin, without a slash at the end. */
  readonly url: string;
  /** Takes no more connections and resolves when the requests under way are answered. */
  close(): Promise<void>;
}

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
    server.listen(port, host, () => {
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
