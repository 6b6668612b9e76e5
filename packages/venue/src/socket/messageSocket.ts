import { parseExactJson } from '../text/exactJson.ts';
import { type DisconnectReason, ReconnectingSocket, type SocketTiming } from './reconnectingSocket.ts';

/** What both sockets of the venue share: address, timing, and the receivers of what arrives. */
export interface MessageSocketOptions<Message> {
  readonly url: string;
  readonly timing?: Partial<SocketTiming>;
  readonly random?: () => number;
  readonly onMessage: (message: Message) => void;
  /** A frame that cannot be read: something may have changed unseen. */
  readonly onUnreadable?: () => void;
  /** After each (re)connection, when the subscription has been sent again: what happened meanwhile was missed. */
  readonly onSubscribed?: () => void;
  readonly onDisconnect?: (reason: DisconnectReason) => void;
}

/** What one socket says of its own: how it reads a message, and what it subscribes to on each connection. */
export interface MessageProtocol<Message> {
  /** Null for a message that cannot be read, `unknown` for one of a kind that is not used. */
  readonly parse: (wire: unknown) => Message | 'unknown' | null;
  readonly subscriptionFrames: () => readonly string[];
}

/** Opens a socket that subscribes on every connection and emits what it can read. */
export function openMessageSocket<Message>(
  options: MessageSocketOptions<Message>,
  { parse, subscriptionFrames }: MessageProtocol<Message>,
): ReconnectingSocket {
  const { onMessage, onUnreadable, onSubscribed, ...connection } = options;
  const read = (wire: unknown): boolean => {
    const message = parse(wire);
    if (message !== null && message !== 'unknown') {
      onMessage(message);
    }
    return message !== null;
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
      if (!readFrame(text, read)) {
        onUnreadable?.();
      }
    },
  });
}

/**
 * Handles a text frame that holds one message or a list of them; calls `read` for each, and says if all could be read.
 */
function readFrame(text: string, read: (message: unknown) => boolean): boolean {
  let frame: unknown;
  try {
    frame = parseExactJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return false;
    }
    throw error;
  }
  const messages: readonly unknown[] = Array.isArray(frame) ? frame : [frame];
  return messages.map(read).every(Boolean);
}
