import type { VenueCredentials } from '../port/credentials.ts';
import { parseUserMessage, type UserMessage } from '../schema/userMessage.ts';
import { type MessageSocketOptions, openMessageSocket } from './messageSocket.ts';
import type { ReconnectingSocket, SocketState } from './reconnectingSocket.ts';

/** `url` is `ws://…/ws/user`. After an unreadable frame or a reconnection an order may have changed unseen, so poll. */
export interface UserSocketOptions extends MessageSocketOptions<UserMessage> {
  /** The account's credentials; its key alone, its name as orders carry it, where the venue wants no more. */
  readonly auth: VenueCredentials | Pick<VenueCredentials, 'apiKey'>;
}

/**
 * User socket of the venue: the caller's own orders and trades, across reconnections. A hint to check sooner, never
 * proof: messages go missing, and only the account's holdings on chain are fills.
 */
export class UserSocket {
  readonly #socket: ReconnectingSocket;

  constructor({ auth, ...options }: UserSocketOptions) {
    // Without `markets` it covers all of them.
    const subscription = JSON.stringify({ auth, type: 'user' });
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
