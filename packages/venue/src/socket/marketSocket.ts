import { type MarketMessage, parseMarketMessage } from '../schema/marketMessage.ts';
import { type MessageSocketOptions, openMessageSocket } from './messageSocket.ts';
import type { ReconnectingSocket, SocketState } from './reconnectingSocket.ts';

/** `url` is `ws://…/ws/market`. After an unreadable frame or a reconnection every subscribed book must be read anew. */
export type MarketSocketOptions = MessageSocketOptions<MarketMessage>;

/** Tokens in one subscription frame: keeps frames small whatever the number of markets. */
const tokensPerFrame = 200;

/**
 * The venue's market socket: subscribes to tokens, now and after every reconnection, and emits what it can read. It
 * keeps no books. There are no sequence numbers upstream, so a gap is only noticed by comparing with REST.
 */
export class MarketSocket {
  readonly #tokenIds = new Set<string>();
  readonly #socket: ReconnectingSocket;

  constructor(options: MarketSocketOptions) {
    this.#socket = openMessageSocket(options, {
      parse: parseMarketMessage,
      subscriptionFrames: () => framesOf([...this.#tokenIds], 'subscribe'),
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
