import { parseUserMessage, type UserMessage } from '../schema/userMessage.ts';
import { readFrame } from './marketSocket.ts';
import {
  type DisconnectReason,
  ReconnectingSocket,
  type SocketState,
  type SocketTiming,
} from './reconnectingSocket.ts';

export interface UserSocketOptions {
  /** `ws://…/ws/user`. */
  readonly url: string;
  /** The caller's own account name at the venue, and its credentials where the venue wants them. */
  readonly owner: string;
  readonly auth?: Readonly<Record<string, string>>;
  readonly timing?: Partial<SocketTiming>;
  readonly random?: () => number;
  readonly onMessage: (message: UserMessage) => void;
  /** A frame that cannot be read: an order or trade may have changed unseen, so poll. */
  readonly onGarbage?: () => void;
  /** After each (re)connection: what happened meanwhile was missed, so poll. */
  readonly onSubscribed?: () => void;
  readonly onDisconnect?: (reason: DisconnectReason) => void;
}

/**
 * The venue's user socket: the caller's own orders and trades, across reconnections. A hint to look sooner, never proof:
 * messages go missing, and only the account's holdings on chain are fills.
 */
export class UserSocket {
  readonly #options: UserSocketOptions;
  readonly #socket: ReconnectingSocket;

  constructor(options: UserSocketOptions) {
    this.#options = options;
    const subscription = JSON.stringify({
      auth: { apiKey: options.owner, ...options.auth },
      markets: [],
      type: 'user',
    });
    this.#socket = new ReconnectingSocket({
      url: options.url,
      ...(options.timing === undefined ? {} : { timing: options.timing }),
      ...(options.random === undefined ? {} : { random: options.random }),
      ...(options.onDisconnect === undefined ? {} : { onDisconnect: options.onDisconnect }),
      onOpen: (send) => {
        send(subscription);
        options.onSubscribed?.();
      },
      onText: (text) => this.#onText(text),
    });
  }

  get state(): SocketState {
    return this.#socket.state;
  }

  close(): void {
    this.#socket.close();
  }

  #onText(text: string): void {
    const isReadable = readFrame(text, (wire) => {
      const message = parseUserMessage(wire);
      if (message !== null && message !== 'unknown') {
        this.#options.onMessage(message);
      }
      return message !== null;
    });
    if (!isReadable) {
      this.#options.onGarbage?.();
    }
  }
}
