import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { loopbackAddress } from './codecs.ts';

/** An HTTP server that takes connections. */
export interface Listening {
  /** Origin, without a slash at the end. */
  readonly url: string;
  /** Accept no more connections and resolve when the open requests are answered, or cut off after five seconds. */
  close(): Promise<void>;
}

/**
 * Connections that may wait to be accepted; the system's own limit is lower on many machines. With the default of 511 a
 * rush of a thousand clients loses hundreds, who notice a second or three later.
 */
const backlog = 4_096;

/** Time for open requests to be answered at the end: a caller that sends or reads slowly does not delay it further. */
const drainMs = 5_000;

/**
 * Open the server on the loopback address, or on another host. Port 0 takes a free one.
 * @throws the error of the system when the port is not available.
 */
export function listen(
  server: Server,
  { port, host = loopbackAddress }: { readonly port: number; readonly host?: string },
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      const bound = server.address();
      const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
      resolve({ url: `http://${isIPv6(host) ? `[${host}]` : host}:${boundPort}`, close: () => close(server) });
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close((cause) => {
      clearTimeout(cutOff);
      if (cause === undefined) resolve();
      else reject(cause);
    });
    server.closeIdleConnections();
  });
}
