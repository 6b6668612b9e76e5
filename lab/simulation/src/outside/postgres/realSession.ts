import { once } from 'node:events';
import type net from 'node:net';
import { reachingOut } from '../../runtime/leakWatch.ts';
import { realSocket } from '../../runtime/realSocket.ts';
import { type ServerMessage, ServerMessages } from './serverMessages.ts';

/** Returns true at the last message of an answer. */
export type IsLast = (message: ServerMessage) => boolean;

/** The answer ends when the server is ready, or reads the rows of a COPY. */
export const untilReady: IsLast = ({ type }) => type === 'Z' || type === 'G';

/** The answer ends when the server asks for a password or is ready. */
export const untilAuthenticated: IsLast = ({ type, bytes }) => {
  if (type !== 'R') return type === 'Z';
  const code = bytes.readUInt32BE(5);
  return code !== 0 && code !== 12;
};

/** The answer to a flush ends with the answer to its last message, or with an error. */
export function untilFlushed(types: string): IsLast {
  let openCount = types.replaceAll(/[^PBDCE]/g, '').length;
  return ({ type }) => {
    if (/[123TnCIs]/.test(type)) openCount -= 1;
    return openCount === 0 || type === 'E';
  };
}

/** One session of the real server, which answers one request at a time. */
export class RealSession {
  /** Process of the server; zero until it is known. */
  pid = 0;
  /** Secret of the process, with which a client cancels its statement. */
  key = 0;
  /** Idle, in a transaction, or in one that failed: the status that the server reported last. */
  status: 'I' | 'T' | 'E' = 'I';
  /** True once the server has ended the session. */
  isEnded = false;
  /** True while no answer is due. */
  isAnswered = true;
  readonly #socket: net.Socket;
  readonly #connected: Promise<unknown>;
  readonly #closed: Promise<void>;
  readonly #cut = new ServerMessages();
  #received: ServerMessage[] = [];
  #isLast: IsLast = () => false;
  #complete: () => void = () => undefined;
  #answer: Promise<'answered'> = Promise.resolve('answered');

  constructor(port: number) {
    const socket = realSocket();
    this.#socket = socket;
    socket.connect({ port, host: '127.0.0.1' });
    this.#connected = once(socket, 'connect').catch(() => undefined);
    socket.setNoDelay(true);
    // `close` follows every error.
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    this.#closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isEnded = true;
        this.#finish();
        resolve();
      });
    });
  }

  /** Port from which the session has connected. */
  get clientPort(): number {
    return this.#socket.localPort ?? 0;
  }

  /** The answer to the last request; settled as well when the session ends. */
  get answer(): Promise<'answered'> {
    return this.#answer;
  }

  /** Send a request once the connection is there. */
  async send(bytes: Buffer, isLast: IsLast): Promise<void> {
    await this.#connected;
    if (this.isEnded) return;
    this.#isLast = isLast;
    this.isAnswered = false;
    this.#answer = new Promise((resolve) => {
      this.#complete = () => resolve('answered');
    });
    reachingOut(() => this.#socket.write(bytes));
  }

  /** Return what has arrived since the last call, and forget it. */
  take(): readonly ServerMessage[] {
    const received = this.#received;
    this.#received = [];
    return received;
  }

  /** Send a request and return its whole answer. */
  async ask(bytes: Buffer, isLast: IsLast = untilReady): Promise<readonly ServerMessage[]> {
    await this.send(bytes, isLast);
    await this.#answer;
    return this.take();
  }

  /** End the session, and wait until its process is gone: its locks are free then. */
  async end(): Promise<void> {
    await this.#connected;
    this.#socket.end();
    await this.#closed;
  }

  /** Wait until the server has ended the session. */
  async ended(): Promise<void> {
    await this.#closed;
  }

  #finish(): void {
    this.isAnswered = true;
    this.#complete();
  }

  #receive(bytes: Buffer): void {
    for (const message of this.#cut.add(bytes)) {
      this.#received.push(message);
      if (message.type === 'K') {
        this.pid = message.bytes.readUInt32BE(5);
        this.key = message.bytes.readUInt32BE(9);
      }
      if (message.type === 'Z') this.status = statusOf(message);
      if (!this.isAnswered && this.#isLast(message)) this.#finish();
    }
  }
}

function statusOf({ bytes }: ServerMessage): 'I' | 'T' | 'E' {
  const status = bytes.toString('latin1', 5, 6);
  return status === 'T' || status === 'E' ? status : 'I';
}
