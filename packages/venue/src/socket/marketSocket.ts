import { parseExactJson } from '../exactJson.ts';
import { type MarketMessage, parseMarketMessage } from '../schema/marketMessage.ts';
import {
  type DisconnectReason,
  ReconnectingSocket,
  type SocketState,
  type SocketTiming,
} from './reconnectingSocket.ts';

export interface MarketSocketOptions {
  /** `ws://…/ws/market`. */
  readonly url: string;
  readonly timing?: Partial<SocketTiming>;
  readonly random?: () => number;
  readonly onMessage: (message: MarketMessage) => void;
  /** A frame that cannot be read: any subscribed book may have missed a change. */
  readonly onGarbage?: () => void;
  /** After each (re)connection, when all tokens have been subscribed again: every book must be read anew. */
  readonly onSubscribed?: () => void;
  readonly onDisconnect?: (reason: DisconnectReason) => void;
}

/** Tokens in one subscription frame: keeps frames small whatever the number of markets. */
const tokensPerFrame = 200;

/** Handles a text frame that holds one message or a list of them; calls `read` for each, and says if all were JSON. */
export function readFrame(text: string, read: (message: unknown) => boolean): boolean {
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

/**
 * The venue's market socket: subscribes to tokens, now and after every reconnection, and hands on what it can read. It
 * keeps no books. There are no sequence numbers upstream, so a gap is only noticed by comparing with REST.
 */
export class MarketSocket {
  readonly #options: MarketSocketOptions;
  readonly #tokenIds = new Set<string>();
  readonly #socket: ReconnectingSocket;

  constructor(options: MarketSocketOptions) {
    this.#options = options;
    this.#socket = new ReconnectingSocket({
      url: options.url,
      ...(options.timing === undefined ? {} : { timing: options.timing }),
      ...(options.random === undefined ? {} : { random: options.random }),
      ...(options.onDisconnect === undefined ? {} : { onDisconnect: options.onDisconnect }),
      onOpen: (send) => {
        for (const frame of framesOf([...this.#tokenIds], 'subscribe')) {
          send(frame);
        }
        options.onSubscribed?.();
      },
      onText: (text) => this.#onText(text),
    });
  }

  get state(): SocketState {
    return this.#socket.state;
  }

  /** Adds tokens; those already subscribed cost nothing. */
  subscribe(tokenIds: readonly string[]): void {
    const added = tokenIds.filter((tokenId) => !this.#tokenIds.has(tokenId));
    for (const tokenId of added) {
      this.#tokenIds.add(tokenId);
    }
    this.#sendFrames(added, 'subscribe');
  }

  unsubscribe(tokenIds: readonly string[]): void {
    this.#sendFrames(
      tokenIds.filter((tokenId) => this.#tokenIds.delete(tokenId)),
      'unsubscribe',
    );
  }

  /** Drops the connection and opens another, for a feed that is seen to stand still. */
  reconnect(): void {
    this.#socket.reconnect();
  }

  close(): void {
    this.#socket.close();
  }

  #sendFrames(tokenIds: readonly string[], operation: 'subscribe' | 'unsubscribe'): void {
    for (const frame of framesOf(tokenIds, operation)) {
      // A frame lost to a connection that is just ending is made up for by the next `onOpen`.
      this.#socket.send(frame);
    }
  }

  #onText(text: string): void {
    const isReadable = readFrame(text, (wire) => {
      const message = parseMarketMessage(wire);
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

const framesOf = (tokenIds: readonly string[], operation: 'subscribe' | 'unsubscribe'): readonly string[] => {
  const frames: string[] = [];
  for (let start = 0; start < tokenIds.length; start += tokensPerFrame) {
    frames.push(
      JSON.stringify({ assets_ids: tokenIds.slice(start, start + tokensPerFrame), type: 'market', operation }),
    );
  }
  return frames;
};
