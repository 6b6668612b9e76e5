import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What happens to the bytes of a connection.
 * - `pass`: nothing.
 * - `refuse`: connections are closed before a byte is forwarded.
 * - `hang`: connections are accepted and nothing ever comes back; what the client sends is not forwarded.
 * - `swallow`: the upstream receives everything, the client receives nothing: the request took effect, its answer
 *   is lost.
 * - `delay`: every piece of the answer comes `delayMs` late.
 */
export type TcpFault =
  | { readonly kind: 'pass' | 'refuse' | 'hang' | 'swallow' }
  | { readonly kind: 'delay'; readonly delayMs: number };

export interface TcpFaultProxy {
  readonly port: number;
  /** Changes what happens from now on, on open connections too. */
  setFault(fault: TcpFault): void;
  /** Cuts every open connection at once, as a killed server does. */
  cutAll(): void;
  /** How many connections were accepted so far. */
  connectionCount(): number;
  close(): Promise<void>;
}

/** Starts a TCP proxy on 127.0.0.1 in front of `targetPort` that fails on request. */
export async function startTcpFaultProxy(targetPort: number): Promise<TcpFaultProxy> {
  let fault: TcpFault = { kind: 'pass' };
  let connections = 0;
  const open = new Set<Socket>();

  const server = createServer((client) => {
    connections += 1;
    if (fault.kind === 'refuse') {
      client.destroy();
      return;
    }
    const upstream = connect(targetPort, '127.0.0.1');
    const end = () => {
      client.destroy();
      upstream.destroy();
      open.delete(client);
      open.delete(upstream);
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', end);
    }
    client.on('close', end);
    // A lost answer is silence, not a closed connection: the client is left waiting.
    upstream.on('close', () => {
      if (fault.kind === 'swallow') open.delete(upstream);
      else if (fault.kind === 'delay') setTimeout(end, fault.delayMs);
      else end();
    });
    client.on('data', (piece) => {
      if (fault.kind === 'refuse') end();
      else if (fault.kind !== 'hang') upstream.write(piece);
    });
    upstream.on('data', (piece) => {
      if (fault.kind === 'refuse') end();
      else if (fault.kind === 'pass') client.write(piece);
      else if (fault.kind === 'delay') setTimeout(() => client.destroyed || client.write(piece), fault.delayMs);
    });
  });

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const cutAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    setFault: (next) => {
      fault = next;
    },
    cutAll,
    connectionCount: () => connections,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        cutAll();
      }),
  };
}
