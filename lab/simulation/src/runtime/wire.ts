import { AsyncLocalStorage } from 'node:async_hooks';
import type net from 'node:net';
import { currentProgram, type Program } from './program.ts';

/** Members of a socket that its own class writes. */
export interface RawSocket extends net.Socket {
  connecting: boolean;
  timeout?: number;
  allowHalfOpen: boolean;
}

interface Chunk {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}

/** Runs code with the context in which one end of a connection was made. */
export type InContext = <Result>(run: () => Result) => Result;

/** One end of a connection. */
export interface End {
  readonly socket: RawSocket;
  readonly program: Program | undefined;
  readonly inContext: InContext;
  peer: End | null;
  /** Arrival of the last chunk that this end sent: chunks of one direction keep their order. */
  lastArrivalMs: number;
  /** True once it said that it sends no more. */
  isEnded: boolean;
  /** Restart the time-out of silence. */
  touch(): void;
}

/** Handles what an end sends. */
export interface Wire {
  /** Bytes to the other end. */
  carry(from: End, bytes: Buffer): void;
  /** The end of the bytes. */
  end(from: End): void;
  /** The end is destroyed. */
  cut(from: End): void;
}

/** Time-out of a socket's silence. */
class Silence {
  readonly #socket: RawSocket;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: RawSocket) {
    this.#socket = socket;
  }

  limit(ms: number, call?: () => void): void {
    const socket = this.#socket;
    socket.timeout = ms;
    if (call !== undefined && ms === 0) socket.removeListener('timeout', call);
    if (call !== undefined && ms > 0) socket.once('timeout', call);
    this.restart();
  }

  restart(): void {
    clearTimeout(this.#timer);
    const { timeout = 0, destroyed } = this.#socket;
    if (timeout > 0 && !destroyed) this.#timer = setTimeout(() => this.#socket.emit('timeout'), timeout);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

const silences = new WeakMap<net.Socket, Silence>();

/** Return the time-out of silence of a socket, connected or not. */
export function silenceOf(socket: RawSocket): Silence {
  const own = silences.get(socket) ?? new Silence(socket);
  silences.set(socket, own);
  return own;
}

/** Return the address of a port of the one host. */
export const addressAt = (port: number): net.AddressInfo => ({ address: '127.0.0.1', family: 'IPv4', port });

/** Return the context of the code that runs now. */
export function contextNow(): InContext {
  const inContext = AsyncLocalStorage.snapshot();
  return (run) => inContext(run);
}

const bytesOf = ({ chunk, encoding }: Chunk): Buffer =>
  typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk);

/** Give a socket the inner methods of a connection in memory, and return its end. It stays a `net.Socket`. */
export function attach(socket: RawSocket, ports: { readonly own: number; readonly remote: number }, wire: Wire): End {
  const silence = silenceOf(socket);
  const touch = (): void => silence.restart();
  const program = currentProgram();
  const inContext = contextNow();
  const end: End = { socket, program, inContext, peer: null, lastArrivalMs: 0, isEnded: false, touch };
  const whenConnected = (run: () => void): void => {
    if (socket.connecting) socket.once('connect', run);
    else run();
  };
  const send = (chunks: readonly Chunk[], done: () => void): void => {
    touch();
    const bytes = Buffer.concat(chunks.map(bytesOf));
    whenConnected(() => wire.carry(end, bytes));
    done();
  };
  return Object.assign(end, {
    socket: Object.assign(socket, {
      _peername: addressAt(ports.remote),
      _sockname: addressAt(ports.own),
      ref: () => socket,
      unref: () => socket,
      _read: () => undefined,
      _write: (chunk: Chunk['chunk'], encoding: BufferEncoding, done: () => void) => send([{ chunk, encoding }], done),
      _writev: send,
      _final: (done: () => void) => {
        whenConnected(() => wire.end(end));
        done();
      },
      _destroy: (error: Error | null, done: (error: Error | null) => void) => {
        silence.end();
        wire.cut(end);
        done(error);
        // Sockets emit their end themselves.
        process.nextTick(() => socket.emit('close', error !== null && error !== undefined));
      },
    }),
  });
}
