import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ProcessLimits } from '../processLimits.ts';
import { peerOf } from './remoteAddress.ts';

interface GateOptions {
  readonly limits: Pick<ProcessLimits, 'connections' | 'connectionsPerAddress'>;
  /** True for the address of a proxy that carries many clients. */
  readonly isProxy: (address: string) => boolean;
}

/** Connections of one address that have no request being handled, the longest silent first. */
interface AddressConnections {
  count: number;
  readonly silent: Set<Socket>;
}

/**
 * Bounds the open HTTP connections, in all and per address. At the bound the connection that has been silent for the
 * longest gives way: of the same address, or of the address with the most connections. So a client that opens
 * connections and leaves them idle, half open, or full of unread answers loses those first, and a client that sends a
 * request is let in. A connection whose request is being handled is never ended.
 */
export class ConnectionGate {
  readonly #options: GateOptions;
  readonly #addresses = new Map<string, AddressConnections>();
  readonly #keys = new Map<Socket, string>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Open connections. */
  get size(): number {
    return this.#keys.size;
  }

  /** Count every new connection of the server. */
  attach(server: Server): void {
    server.on('connection', (socket) => this.#enter(socket));
  }

  /** Mark a connection whose request is being handled. */
  markBusy(socket: Socket): void {
    this.#addressOf(socket)?.silent.delete(socket);
  }

  /** Mark a connection that waits for its client: for the next request, or for its answer to be read. */
  markSilent(socket: Socket): void {
    const own = this.#addressOf(socket);
    // Deleted first, so that the order is that of the last marks.
    own?.silent.delete(socket);
    own?.silent.add(socket);
  }

  /** Stop counting a connection that was closed, or that became a socket with bounds of its own. */
  leave(socket: Socket): void {
    const key = this.#keys.get(socket);
    const own = key === undefined ? undefined : this.#addresses.get(key);
    if (key === undefined || own === undefined) return;
    this.#keys.delete(socket);
    own.silent.delete(socket);
    own.count -= 1;
    if (own.count === 0) this.#addresses.delete(key);
  }

  /** End every connection that has no request being handled. */
  endSilent(): void {
    for (const { silent } of this.#addresses.values()) for (const socket of silent) this.#end(socket);
  }

  #enter(socket: Socket): void {
    const { limits, isProxy } = this.#options;
    const { address, subject } = peerOf(socket);
    // A proxy's connections share no bound with those of clients.
    const key = isProxy(address) ? `proxy ${address}` : subject;
    const own = this.#addresses.get(key) ?? { count: 0, silent: new Set<Socket>() };
    const perAddress = isProxy(address) ? limits.connections : limits.connectionsPerAddress;
    const hasRoom =
      (own.count < perAddress || this.#endOldest(own)) &&
      (this.#keys.size < limits.connections || this.#endOldest(this.#largest()));
    if (!hasRoom) {
      socket.destroy();
      return;
    }
    own.count += 1;
    own.silent.add(socket);
    this.#addresses.set(key, own);
    this.#keys.set(socket, key);
    socket.once('close', () => this.leave(socket));
  }

  /** False when every connection is busy. */
  #endOldest(own: AddressConnections | null): boolean {
    const [oldest] = own?.silent ?? [];
    if (oldest === undefined) return false;
    this.#end(oldest);
    return true;
  }

  #end(socket: Socket): void {
    this.leave(socket);
    socket.destroy();
  }

  /** The address with the most silent connections; read only when the process is full. */
  #largest(): AddressConnections | null {
    let largest: AddressConnections | null = null;
    for (const own of this.#addresses.values()) {
      if (own.silent.size > (largest?.silent.size ?? 0)) largest = own;
    }
    return largest;
  }

  #addressOf(socket: Socket): AddressConnections | undefined {
    const key = this.#keys.get(socket);
    return key === undefined ? undefined : this.#addresses.get(key);
  }
}
