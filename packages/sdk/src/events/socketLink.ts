import { type Gateway, gatewayPaths, socketProtocol, tokenProtocolPrefix } from '../generated/events.ts';
import { basePath } from '../generated/routes.ts';
import type { Transport } from '../http/transport.ts';
import type { Frame } from './frames.ts';

/** How a connection ended. */
export interface LinkEnd {
  /** False when it never came to be: the handshake failed or was refused. */
  readonly wasOpen: boolean;
  readonly code: number;
}

/** Frames that may wait for a slow reader; then the connection is given up and resumed later. */
const maxWaiting = 5_000;
const checkMs = 20_000;
/** Without any frame for this long the connection counts as dead. */
const silenceMs = 60_000;
/** Code of a connection that ended without one. */
const abnormalClosure = 1_006;

/** One connection to a gateway: its frames in order, then its end. */
export class SocketLink {
  readonly #socket: WebSocket;
  readonly #waiting: Frame[] = [];
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #heardAtMs: number;
  #wasOpen = false;
  #end: LinkEnd | null = null;
  #wake: () => void = () => undefined;

  /** `serve` is given each frame as it arrives, before anyone reads, and answers whether it was for it. */
  constructor(socket: WebSocket, nowMs: () => number, serve: (frame: Frame, link: SocketLink) => boolean) {
    this.#socket = socket;
    this.#heardAtMs = nowMs();
    socket.addEventListener('open', () => {
      this.#wasOpen = true;
    });
    socket.addEventListener('message', ({ data }) => {
      this.#heardAtMs = nowMs();
      const frame = JSON.parse(String(data)) as Frame;
      if (serve(frame, this)) return;
      this.#waiting.push(frame);
      if (this.#waiting.length > maxWaiting) this.close();
      this.#wake();
    });
    socket.addEventListener('close', ({ code }) => this.#finish(code));
    socket.addEventListener('error', () => this.#finish(abnormalClosure));
    this.#heartbeat = setInterval(() => {
      if (nowMs() - this.#heardAtMs > silenceMs) this.close();
      else this.send({ action: 'ping' });
    }, checkMs);
  }

  /** The next frame; null when the connection has ended and all that came has been read. */
  async next(): Promise<Frame | null> {
    for (;;) {
      const frame = this.#waiting.shift();
      if (frame !== undefined) return frame;
      if (this.#end !== null) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  get end(): LinkEnd {
    return this.#end ?? { wasOpen: this.#wasOpen, code: abnormalClosure };
  }

  send(frame: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  /** Ends the connection from here; the other side's farewell is not waited for. */
  close(): void {
    this.#finish(abnormalClosure);
    this.#socket.close();
  }

  #finish(code: number): void {
    if (this.#end !== null) return;
    clearInterval(this.#heartbeat);
    this.#end = { wasOpen: this.#wasOpen, code };
    this.#wake();
  }
}

/** Where to connect, from which event on, and who sees to frames about the connection itself. */
interface LinkRequest {
  readonly gateway: Gateway;
  readonly resumeFrom: string | null;
  readonly serve: (frame: Frame, link: SocketLink) => boolean;
}

/**
 * Connects to a gateway with the caller's credential.
 * @throws TypeError on a host without WebSockets, and for a caller without a credential.
 */
export async function openLink(transport: Transport, { gateway, resumeFrom, serve }: LinkRequest): Promise<SocketLink> {
  const { credential, apiUrl, surroundings } = transport;
  const { WebSocket: Socket, nowMs } = surroundings;
  if (Socket === undefined) throw new TypeError('no WebSocket here: pass one in `surroundings`');
  const root = apiUrl.slice(0, -basePath.length).replace(/^http/, 'ws');
  const query = resumeFrom === null ? '' : `?resume_from=${encodeURIComponent(resumeFrom)}`;
  const url = `${root}${gatewayPaths[gateway]}${query}`;
  const token = await credential.token();
  if (token !== null) {
    return new SocketLink(new Socket(url, [socketProtocol, `${tokenProtocolPrefix}${token}`]), nowMs, serve);
  }
  const authorization = await credential.authorization();
  if (authorization === null) throw new TypeError('a stream needs a key or a token');
  // Node's sockets take headers: a key is never a subprotocol, because those reach logs.
  const socket: WebSocket = Reflect.construct(Socket, [url, { headers: { authorization } }]);
  return new SocketLink(socket, nowMs, serve);
}
