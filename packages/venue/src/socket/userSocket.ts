import { parseUserMessage, type UserMessage } from '../schema/userMessage.ts';
import { type MessageSocketOptions, openMessageSocket } from './messageSocket.ts';
import type { ReconnectingSocket, SocketState } from './reconnectingSocket.ts';

/** `url` is `ws://…/ws/user`. After garbage or a reconnection an order may have changed unseen, so poll. */
export interface UserSocketOptions extends MessageSocketOptions<UserMessage> {
  /** The caller's own account name at the venue, and its credentials where the venue wants them. */
  readonly owner: string;
  readonly auth?: Readonly<Record<string, string>>;
}

/**
 * The venue's user socket: the caller's own orders and trades, across reconnections. A hint to look sooner, never proof:
 * messages go missing, and only the account's holdings on chain are fills.
 */
export class UserSocket {
  readonly #socket: ReconnectingSocket;

  constructor({ owner, auth, ...options }: UserSocketOptions) {
    const subscription = JSON.stringify({ auth: { apiKey: owner, ...auth }, markets: [], type: 'user' });
    this.#socket = openMessageSocket(options, {
      parse: parseUserMessage,
      subscriptionFrames: () => [subscription],
    });
  }

  get state(): SocketState {
    return this.#socket.state;
  }

  close(): void {
    this.#socket.close();
  }
}
