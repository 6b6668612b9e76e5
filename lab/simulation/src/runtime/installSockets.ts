import net from 'node:net';
import { type RawServer, type VirtualNetwork } from './virtualNetwork.ts';
import { addressAt, type RawSocket, silenceOf } from './wire.ts';

function self(this: net.Server): net.Server {
  return this;
}

/** Replace the sockets and servers of the process by those of a network in memory. */
export function installSockets(network: VirtualNetwork): void {
  const { prototype: sockets } = net.Socket;
  const { prototype: servers } = net.Server;
  Object.assign(sockets, {
    connect(this: RawSocket, ...args: readonly unknown[]) {
      const [first] = args;
      network.connect(this, Array.isArray(first) ? first : args);
      return this;
    },
    setTimeout(this: RawSocket, ms: number, call?: () => void) {
      silenceOf(this).limit(ms, call);
      return this;
    },
  });
  Object.assign(servers, {
    listen(this: RawServer, ...args: readonly unknown[]) {
      network.listen(this, args);
      return this;
    },
    close(this: net.Server, call?: (error?: Error) => void) {
      network.close(this, call);
      return this;
    },
    address(this: net.Server) {
      const port = network.portOf(this);
      return port === undefined ? null : addressAt(port);
    },
    ref: self,
    unref: self,
  });
  Object.defineProperty(servers, 'listening', {
    configurable: true,
    get(this: net.Server): boolean {
      return network.portOf(this) !== undefined;
    },
  });
}
