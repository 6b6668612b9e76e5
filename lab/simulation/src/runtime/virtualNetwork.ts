import net from 'node:net';
import { currentProgram, outsidePrograms, type Program } from './program.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import { addressAt, attach, contextNow, type End, type InContext, type RawSocket, type Wire } from './wire.ts';

/** Virtual milliseconds that a chunk takes from one program to another; null when it never arrives. */
export type Latency = (from: string, to: string, byteLength: number) => number | null;

/** A server with the member that its class reads. */
export interface RawServer extends net.Server {
  allowHalfOpen: boolean;
}

interface Listener {
  readonly server: RawServer;
  readonly program: Program | undefined;
  readonly inContext: InContext;
  readonly ends: Set<End>;
  isClosing: boolean;
}

/** Something other than a server behind a port, such as a real database. */
export type Endpoint = (socket: net.Socket) => void;

const refusalMs = 0.1;
const first = { listening: 20_000, calling: 40_000, afterLast: 65_000 } as const;

const errorOf = (
  fault: { readonly code: string; readonly errno: number; readonly syscall: string },
  port: number,
): Error =>
  Object.assign(new Error(`${fault.syscall} ${fault.code} 127.0.0.1:${port}`), { ...fault, ...addressAt(port) });
const refusal = { code: 'ECONNREFUSED', errno: -111, syscall: 'connect' } as const;
const inUse = { code: 'EADDRINUSE', errno: -98, syscall: 'listen' } as const;

/** The loopback network of a world: `net` in memory, under the real parsers of HTTP, WebSocket and PostgreSQL. */
export class VirtualNetwork {
  /** Latency of each chunk; replaced by faults, which give back what was here before. */
  latency: Latency;
  readonly #scheduler: Scheduler;
  readonly #ends = new Map<net.Socket, End>();
  readonly #listeners = new Map<number, Listener>();
  readonly #ports = new WeakMap<net.Server, number>();
  readonly #endpoints = new Map<number, Endpoint>();
  /** Connections to endpoints, which note their messages themselves: their sizes depend on a real process. */
  readonly #unmeasured = new WeakSet<End>();
  readonly #wire: Wire;
  #nextListening: number = first.listening;
  #nextCalling: number = first.calling;

  constructor(scheduler: Scheduler, random: Random) {
    this.#scheduler = scheduler;
    this.latency = () => random.between(50, 450) / 1_000;
    this.#wire = {
      carry: (from, bytes) => {
        const arrive = (peer: End): void => {
          if (!peer.socket.readableEnded) peer.socket.push(bytes);
        };
        this.#deliver(from, bytes.length, arrive);
      },
      end: (from) => {
        this.#deliver(from, 0, ({ socket }) => socket.push(null));
        from.isEnded = true;
      },
      cut: (from) => {
        this.#ends.delete(from.socket);
        const wasEnded = from.isEnded;
        this.#deliver(from, 0, (peer) => cut(peer, !wasEnded));
      },
    };
  }

  /** Return the port of an open server. */
  portOf(server: net.Server): number | undefined {
    return this.#ports.get(server);
  }

  /** Name of the program at the other end of a connection; empty for the world around the programs. */
  peerOf(socket: net.Socket): string {
    return this.#ends.get(socket)?.peer?.program?.name ?? '';
  }

  /** Put something other than a server behind a port. */
  serve(port: number, endpoint: Endpoint): void {
    this.#endpoints.set(port, endpoint);
  }

  /** End the connections and servers of a program that died; its peers see a reset after what it sent before. */
  end(program: Program): void {
    for (const [port, listener] of this.#listeners) if (listener.program === program) this.#listeners.delete(port);
    for (const [socket, end] of this.#ends) {
      if (end.program !== program) continue;
      this.#ends.delete(socket);
      this.#deliver(end, 0, (peer) => cut(peer, true));
      // What its code sends from here on reaches no one.
      end.peer = null;
    }
  }

  #deliver(from: End, byteLength: number, run: (peer: End) => void): void {
    const { peer } = from;
    if (peer === null) return;
    const [sender, receiver] = [from.program?.name ?? '', peer.program?.name ?? ''];
    const latencyMs = this.latency(sender, receiver, byteLength);
    if (latencyMs === null) return;
    const arrivalMs = Math.max(this.#scheduler.nowMs + latencyMs, from.lastArrivalMs);
    from.lastArrivalMs = arrivalMs;
    const arrive = (): void => {
      if (peer.socket.destroyed) return;
      this.#scheduler.count('message');
      this.#scheduler.note(`net ${sender}>${receiver} ${this.#unmeasured.has(from) ? '' : byteLength}`);
      peer.inContext(() => {
        peer.touch();
        run(peer);
      });
    };
    // Owned by the receiver: what a program sent before it died still arrives.
    outsidePrograms(() => this.#scheduler.at(arrivalMs - this.#scheduler.nowMs, arrive, peer.program));
  }

  /** Connect a socket, as `net.Socket.connect` does. */
  connect(socket: RawSocket, args: readonly unknown[]): void {
    const call = args.findLast((argument) => typeof argument === 'function');
    const { port, path } = connectOptionsOf(args);
    if (path !== undefined) throw new Error(`a simulated program connects to the socket file ${path}`);
    const own = this.#nextCalling;
    this.#nextCalling = own + 1 === first.afterLast ? first.calling : own + 1;
    const end = attach(socket, { own, remote: port }, this.#wire);
    this.#ends.set(socket, end);
    socket.connecting = true;
    if (typeof call === 'function') socket.once('connect', () => call());
    const latencyMs = this.latency(end.program?.name ?? '', this.#listeners.get(port)?.program?.name ?? '', 0);
    if (latencyMs === null) return;
    this.#scheduler.at(latencyMs, () => {
      if (!socket.destroyed) end.inContext(() => this.#accept(end, own, port));
    });
  }

  #accept(end: End, callerPort: number, port: number): void {
    const { socket } = end;
    const listener = this.#listeners.get(port);
    const endpoint = this.#endpoints.get(port);
    const inContext: InContext = listener?.inContext ?? outsidePrograms;
    if (listener === undefined && endpoint === undefined) {
      this.#scheduler.at(refusalMs, () => {
        socket.connecting = false;
        socket.destroy(errorOf(refusal, port));
      });
      return;
    }
    this.#scheduler.count('connection');
    inContext(() => {
      const allowHalfOpen = listener?.server.allowHalfOpen ?? true;
      const accepted = Object.assign(new net.Socket({ allowHalfOpen }), { connecting: false, allowHalfOpen });
      const other = attach(accepted, { own: port, remote: callerPort }, this.#wire);
      this.#ends.set(accepted, other);
      end.peer = other;
      other.peer = end;
      if (endpoint !== undefined) {
        this.#unmeasured.add(end).add(other);
        endpoint(accepted);
      } else if (listener !== undefined) this.#serve(listener, accepted, other);
    });
    socket.connecting = false;
    socket.emit('connect');
    socket.emit('ready');
  }

  #serve(listener: Listener, accepted: RawSocket, end: End): void {
    const { server, ends } = listener;
    Object.assign(accepted, { server, _server: server });
    ends.add(end);
    accepted.once('close', () => {
      ends.delete(end);
      endWhenIdle(listener);
    });
    // The system accepts a connection; the program sees it when it runs, unless it has closed meanwhile.
    const show = (): void => {
      if (listener.isClosing) accepted.destroy();
      else if (!accepted.destroyed) listener.inContext(() => server.emit('connection', accepted));
    };
    this.#scheduler.at(0, show, listener.program);
  }

  /** Open a server, as `net.Server.listen` does. */
  listen(server: RawServer, args: readonly unknown[]): void {
    if (currentProgram()?.isDead === true) return;
    const { port: wanted } = connectOptionsOf(args);
    const call = args.findLast((argument) => typeof argument === 'function');
    const port = wanted === 0 ? (this.#nextListening += 1) : wanted;
    if (this.#listeners.has(port)) {
      process.nextTick(() => server.emit('error', errorOf(inUse, port)));
      return;
    }
    const inContext = contextNow();
    const program = currentProgram();
    this.#listeners.set(port, { server, program, inContext, ends: new Set(), isClosing: false });
    this.#ports.set(server, port);
    if (typeof call === 'function') server.once('listening', () => call());
    process.nextTick(() => server.emit('listening'));
  }

  /** Close a server, as `net.Server.close` does. */
  close(server: net.Server, call?: (error?: Error) => void): void {
    const port = this.#ports.get(server);
    const listener = port === undefined ? undefined : this.#listeners.get(port);
    if (port === undefined || listener?.server !== server) {
      const notRunning = Object.assign(new Error('Server is not running.'), { code: 'ERR_SERVER_NOT_RUNNING' });
      if (call !== undefined) process.nextTick(call, notRunning);
      return;
    }
    if (call !== undefined) server.once('close', () => call());
    this.#listeners.delete(port);
    this.#ports.delete(server);
    listener.isClosing = true;
    endWhenIdle(listener);
  }
}

/** Emit the end of a closed server once its last connection is gone. */
function endWhenIdle({ server, ends, isClosing }: Listener): void {
  if (isClosing && ends.size === 0) process.nextTick(() => server.emit('close'));
}

/** Let an end see that the other one is gone. */
function cut({ socket }: End, isReset: boolean): void {
  if (socket.destroyed) return;
  if (!isReset && !socket.allowHalfOpen) {
    if (!socket.readableEnded) socket.push(null);
    return;
  }
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' });
  socket.destroy(isReset ? reset : undefined);
}

/** Port and path of the arguments of `connect` and `listen`. */
function connectOptionsOf([head]: readonly unknown[]): { readonly port: number; readonly path?: string } {
  if (typeof head !== 'object' || head === null) return { port: Number(head ?? 0) };
  const port = 'port' in head ? Number(head.port ?? 0) : 0;
  return 'path' in head && typeof head.path === 'string' && port === 0 ? { port, path: head.path } : { port };
}
