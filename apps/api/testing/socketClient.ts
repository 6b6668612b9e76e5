import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientOptions, WebSocket } from 'ws';

/** One frame as it came. */
export interface ReceivedFrame {
  readonly frame: string;
  readonly id?: string;
  readonly seq?: number;
  readonly type?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A client of a gateway that keeps all it receives. */
export class SocketClient {
  readonly frames: ReceivedFrame[] = [];
  readonly socket: WebSocket;
  closeCode: number | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(url: string, options: ClientOptions & { readonly protocols?: readonly string[] } = {}) {
    const { protocols, ...rest } = options;
    this.socket = new WebSocket(url, [...(protocols ?? [])], { perMessageDeflate: false, ...rest });
    this.socket.on('message', (data) => {
      this.frames.push(JSON.parse(String(data)));
      for (const listener of this.#listeners) listener();
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', (code) => {
      this.closeCode = code;
      for (const listener of this.#listeners) listener();
    });
  }

  /** Resolve once open; reject with the status of a refusal. */
  async opened(): Promise<this> {
    const refusal = once(this.socket, 'unexpected-response').then(([, response]: IncomingMessage[]) => {
      throw new RefusedError(response?.statusCode ?? 0);
    });
    await Promise.race([once(this.socket, 'open'), refusal]);
    refusal.catch(() => undefined);
    return this;
  }

  /** Resolve with what `find` finds in the frames, now or later. */
  async until<Found>(find: (client: this) => Found | undefined, timeoutMs = 90_000): Promise<Found> {
    const message = find(this);
    if (message !== undefined) return message;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#listeners.delete(look);
        const last = this.frames.slice(-20).map(({ frame, type }) => type ?? frame);
        reject(new Error(`not received; closed with ${this.closeCode}; last frames: ${last.join(', ')}`));
      }, timeoutMs);
      const look = (): void => {
        const late = find(this);
        if (late === undefined) return;
        clearTimeout(timer);
        this.#listeners.delete(look);
        resolve(late);
      };
      this.#listeners.add(look);
    });
  }

  frame(name: string): Promise<ReceivedFrame> {
    return this.until(({ frames }) => frames.find(({ frame }) => frame === name));
  }

  events(count: number): Promise<readonly ReceivedFrame[]> {
    return this.until(({ eventFrames }) => (eventFrames.length >= count ? eventFrames : undefined));
  }

  get eventFrames(): readonly ReceivedFrame[] {
    return this.frames.filter(({ frame }) => frame === 'event');
  }

  closed(): Promise<number> {
    return this.until(({ closeCode }) => closeCode ?? undefined);
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  end(): void {
    this.socket.terminate();
  }
}

/** The service answered with a status and did not upgrade. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`refusal with ${status}`);
    this.status = status;
  }
}
