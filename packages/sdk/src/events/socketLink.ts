import { InputError } from '../errors/inputError.ts';
import { type Gateway, gatewayPaths, socketProtocol, tokenProtocolPrefix } from '../generated/events.ts';
import { basePath } from '../generated/routes.ts';
import type { Transport } from '../http/transport.ts';
import { type Frame, frameOf } from './frames.ts';

/** End of a connection. */
export interface LinkEnd {
  /** False when the handshake failed or was refused. */
  readonly wasOpen: boolean;
  readonly code: number;
}

/** Maximum queued frames of a slow reader; above it the connection is closed and resumed later. */
const maxWaiting = 5_000;
const checkMs = 20_000;
/** Time without any frame after which the connection counts as dead. */
const silenceMs = 60_000;
/** Code of a connection that ended without one. */
const abnormalClosure = 1_006;

/** Connection to a gateway: its frames in order, then its end. */
export class SocketLink {
  readonly #socket: WebSocket;
  readonly #waiting: Frame[] = [];
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #heardAtMs: number;
  #wasOpen = false;
  #end: LinkEnd | null = null;
  #wake: () => void = () => undefined;

  /**
   * Attach to a socket. `serve` receives each frame on arrival, before any reader, and returns true when it handled it.
   */
  constructor(socket: WebSocket, monotonicMs: () => number, serve: (frame: Frame, link: SocketLink) => boolean) {
    this.#socket = socket;
    this.#heardAtMs = monotonicMs();
    socket.addEventListener('open', () => {
      this.#wasOpen = true;
    });
    socket.addEventListener('message', ({ data }) => {
      this.#heardAtMs = monotonicMs();
      const frame = frameOf(data);
      if (serve(frame, this)) return;
      this.#waiting.push(frame);
      if (this.#waiting.length > maxWaiting) this.close();
      this.#wake();
    });
    socket.addEventListener('close', ({ code }) => this.#finish(code));
    socket.addEventListener('error', () => this.#finish(abnormalClosure));
    this.#heartbeat = setInterval(() => {
      if (monotonicMs() - this.#heardAtMs > silenceMs) this.close();
      else this.send({ action: 'ping' });
    }, checkMs);
  }

  /** Return the next frame; null when the connection has ended and all frames have been read. */
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

  /** Close the connection without waiting for the other side. */
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

const bearer = 'Bearer ';

/** Gateway, Authorization header, start event, and handler of frames about the connection. */
interface LinkRequest {
  readonly gateway: Gateway;
  readonly authorization: string | null;
  readonly resumeFrom: string | null;
  readonly serve: (frame: Frame, link: SocketLink) => boolean;
}

/**
 * Connect to a gateway with the caller's credential.
 *
 * @throws InputError on a host without WebSockets, and for a caller without a credential.
 */
export async function openLink(
  transport: Transport,
  { gateway, authorization, resumeFrom, serve }: LinkRequest,
): Promise<SocketLink> {
  const { apiUrl, surroundings } = transport;
  const { monotonicMs } = surroundings;
  const Socket = surroundings.WebSocket ?? (await surroundings.socketsOfPackage());
  if (Socket === undefined) {
    const sentence = 'This Node has no WebSocket (Node 22 has). Install `ws`, or pass `surroundings: { WebSocket }`.';
    throw new InputError('surroundings.WebSocket', undefined, sentence);
  }
  const root = apiUrl.slice(0, -basePath.length).replace(/^http/, 'ws');
  const query = resumeFrom === null ? '' : `?resume_from=${encodeURIComponent(resumeFrom)}`;
  const url = `${root}${gatewayPaths[gateway]}${query}`;
  if (authorization?.startsWith(bearer)) {
    const token = authorization.slice(bearer.length);
    return new SocketLink(new Socket(url, [socketProtocol, `${tokenProtocolPrefix}${token}`]), monotonicMs, serve);
  }
  if (authorization === null) throw new InputError('apiKey', undefined, 'A stream needs a key or a token.');
  // Node's sockets accept headers. A key is never a subprotocol, because subprotocols appear in logs.
  const socket: WebSocket = Reflect.construct(Socket, [url, { headers: { authorization } }]);
  return new SocketLink(socket, monotonicMs, serve);
}
