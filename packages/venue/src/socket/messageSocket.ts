import { parseExactJson } from '../text/exactJson.ts';
import { type DisconnectReason, ReconnectingSocket, type SocketTiming } from './reconnectingSocket.ts';

/** Options of both venue sockets: address, timing, and the receivers of messages. */
export interface MessageSocketOptions<Message> {
  readonly url: string;
  readonly timing?: Partial<SocketTiming>;
  readonly random?: () => number;
  readonly onMessage: (message: Message) => void;
  /**
   * A message that cannot be read: something may have changed unseen. Null for a frame of which nothing can be read.
   */
  readonly onUnreadable?: (wire: unknown) => void;
  /** After each (re)connection, when the subscription has been sent again: what happened meanwhile was missed. */
  readonly onSubscribed?: () => void;
  readonly onDisconnect?: (reason: DisconnectReason) => void;
}

/** Protocol of one socket: the reader of its messages, and the subscription it sends on each connection. */
export interface MessageProtocol<Message> {
  /** Null for a message that cannot be read, `unknown` for one of a kind that is not used. */
  readonly parse: (wire: unknown) => Message | 'unknown' | null;
  readonly subscriptionFrames: () => readonly string[];
}

/** Open a socket that subscribes on every connection and emits every readable message. */
export function openMessageSocket<Message>(
  options: MessageSocketOptions<Message>,
  { parse, subscriptionFrames }: MessageProtocol<Message>,
): ReconnectingSocket {
  const { onMessage, onUnreadable, onSubscribed, ...connection } = options;
  const read = (wire: unknown): void => {
    const message = parse(wire);
    if (message === null) {
      onUnreadable?.(wire);
    } else if (message !== 'unknown') {
      onMessage(message);
    }
  };
  return new ReconnectingSocket({
    ...connection,
    onOpen: (send) => {
      for (const frame of subscriptionFrames()) {
        send(frame);
      }
      onSubscribed?.();
    },
    onText: (text) => {
      for (const wire of messagesOf(text)) {
        read(wire);
      }
    },
  });
}

/** The messages of a text frame, which holds one or a list of them; null alone for a frame that cannot be read. */
function messagesOf(text: string): readonly unknown[] {
  try {
    const frame = parseExactJson(text);
    return Array.isArray(frame) ? frame : [frame];
  } catch (error) {
    if (error instanceof SyntaxError) {
      return [null];
    }
    throw error;
  }
}
