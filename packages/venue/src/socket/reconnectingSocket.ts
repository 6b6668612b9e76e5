import { WebSocket } from 'ws';

export type SocketState = 'connecting' | 'open' | 'waiting' | 'closed';

/** Cause for which a connection was closed. */
export type DisconnectReason = 'lost' | 'silent' | 'frozen' | 'closed';

export interface SocketTiming {
  /** The venue drops a client that sends no text `PING` for about this long. */
  readonly pingIntervalMs: number;
  /** Silence, answers to PING included, after which an open connection counts as lost. */
  readonly silenceMs: number;
  readonly handshakeTimeoutMs: number;
  /** First and longest wait before connecting again; it doubles in between and is cut by jitter to 50-100 %. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
}

export const defaultSocketTiming: SocketTiming = {
  pingIntervalMs: 10_000,
  silenceMs: 25_000,
  handshakeTimeoutMs: 5_000,
  minBackoffMs: 100,
  maxBackoffMs: 10_000,
};

export interface ReconnectingSocketOptions {
  readonly url: string;
  readonly timing?: Partial<SocketTiming>;
  /** Uniform in [0, 1): the source of jitter. */
  readonly random?: () => number;
  /** Text sent at intervals; `PING` when absent, null for none. */
  readonly pingText?: string | null;
  /** Called on each new connection before anything is received on it: subscribe here. */
  readonly onOpen: (send: (text: string) => void) => void;
  readonly onText: (text: string) => void;
  readonly onDisconnect?: (reason: DisconnectReason) => void;
}

/** Largest frame that is read: the books of 200 tokens are a tenth of it. A larger one ends the connection. */
const maxFrameBytes = 33_554_432;

/** Wait before the attempt-th reconnection (0 is the first), milliseconds. Half of it is certain, half is jitter. */
export function backoffMsOf(timing: SocketTiming, attempt: number, random: number): number {
  const ceilingMs = Math.min(timing.maxBackoffMs, timing.minBackoffMs * 2 ** Math.min(attempt, 30));
  return Math.floor(ceilingMs * (0.5 + random / 2));
}

/**
 * One WebSocket that keeps coming back: it pings, notices silence, and connects again with growing, jittered waits. The
 * wait starts over only after a connection has delivered something, so a venue that accepts and drops is not hammered.
 */
export class ReconnectingSocket {
  readonly #options: ReconnectingSocketOptions;
  readonly #timing: SocketTiming;
  readonly #random: () => number;
  #socket: WebSocket | null = null;
  #state: SocketState = 'connecting';
  #attempt = 0;
  #reconnectTimer: NodeJS.Timeout | null = null;
  #pingTimer: NodeJS.Timeout | null = null;
  #silenceTimer: NodeJS.Timeout | null = null;
  #giveUpReason: DisconnectReason | null = null;

  constructor(options: ReconnectingSocketOptions) {
    this.#options = options;
    this.#timing = { ...defaultSocketTiming, ...options.timing };
    this.#random = options.random ?? Math.random;
    this.#connect();
  }

  get state(): SocketState {
    return this.#state;
  }

  /** Send when the connection is open, and return whether it did: `onOpen` repeats what must not be lost. */
  send(text: string): boolean {
    const isOpen = this.#state === 'open' && this.#socket?.readyState === WebSocket.OPEN;
    if (isOpen) {
      this.#socket?.send(text);
    }
    return isOpen;
  }

  /** Close the connection and open another, for a feed that stands still. */
  reconnect(): void {
    if (this.#state === 'open') {
      this.#giveUp('frozen');
    }
  }

  /** Close for good. No callback runs afterwards. */
  close(): void {
    this.#state = 'closed';
    this.#stopTimers();
    this.#socket?.removeAllListeners();
    // A socket that is still connecting reports its own end as an error.
    this.#socket?.on('error', ignoreLateError);
    this.#socket?.terminate();
    this.#socket = null;
  }

  #connect(): void {
    this.#state = 'connecting';
    this.#giveUpReason = null;
    const socket = new WebSocket(this.#options.url, {
      handshakeTimeout: this.#timing.handshakeTimeoutMs,
      maxPayload: maxFrameBytes,
    });
    this.#socket = socket;
    socket.on('open', () => {
      this.#state = 'open';
      const { pingText = 'PING' } = this.#options;
      if (pingText !== null) this.#pingTimer = setInterval(() => socket.send(pingText), this.#timing.pingIntervalMs);
      this.#restartSilenceTimer();
      this.#options.onOpen((text) => socket.send(text));
    });
    socket.on('message', (data, isBinary) => {
      this.#restartSilenceTimer();
      const text = isBinary ? '' : String(data);
      if (text === 'PONG' || text === 'PING' || isBinary) {
        return;
      }
      this.#attempt = 0;
      this.#options.onText(text);
    });
    // `close` always follows `error`; the reason for trying again is the same for both.
    socket.on('error', ignoreLateError);
    socket.on('close', () => this.#onClose());
  }

  #onClose(): void {
    this.#stopTimers();
    this.#socket = null;
    if (this.#state === 'closed') {
      return;
    }
    this.#state = 'waiting';
    this.#options.onDisconnect?.(this.#giveUpReason ?? 'lost');
    const waitMs = backoffMsOf(this.#timing, this.#attempt, this.#random());
    this.#attempt += 1;
    this.#reconnectTimer = setTimeout(() => this.#connect(), waitMs);
  }

  #giveUp(reason: DisconnectReason): void {
    this.#giveUpReason = reason;
    this.#socket?.terminate();
  }

  #restartSilenceTimer(): void {
    if (this.#silenceTimer === null) {
      this.#silenceTimer = setTimeout(() => this.#giveUp('silent'), this.#timing.silenceMs);
    } else {
      this.#silenceTimer.refresh();
    }
  }

  #stopTimers(): void {
    clearTimeout(this.#reconnectTimer ?? undefined);
    clearInterval(this.#pingTimer ?? undefined);
    clearTimeout(this.#silenceTimer ?? undefined);
    this.#reconnectTimer = null;
    this.#pingTimer = null;
    this.#silenceTimer = null;
  }
}

const ignoreLateError = (): void => undefined;
