import { type MarketMessage, parseMarketMessage } from '../schema/marketMessage.ts';
import { type MessageSocketOptions, openMessageSocket } from './messageSocket.ts';
import type { DisconnectReason, ReconnectingSocket, SocketState } from './reconnectingSocket.ts';

/** `url` is `ws://…/ws/market`. After an unreadable frame or a reconnection subscribed books must be read again. */
export interface MarketSocketOptions extends Omit<MessageSocketOptions<MarketMessage>, 'onDisconnect'> {
  /** Tokens of one connection; 400 when absent. The venue sends no books beyond its own limit of 500. */
  readonly tokensPerConnection?: number;
  /** Called with the tokens of the connection that was lost. */
  readonly onDisconnect?: (reason: DisconnectReason, tokenIds: readonly string[]) => void;
}

/** Tokens in one subscription frame: keeps frames small for any number of markets. */
const tokensPerFrame = 200;
const defaultTokensPerConnection = 400;

/** One connection and the tokens it subscribes to. */
interface Connection {
  readonly socket: ReconnectingSocket;
  readonly tokenIds: Set<string>;
  /** True once the subscription that opens a connection was sent on the present one. */
  isBegun: boolean;
}

/**
 * The venue's market socket: subscribes to tokens, now and after every reconnection, and emits what it can read. Tokens
 * are spread over as many connections as the venue's limit asks for. It stores no books. There are no sequence numbers
 * upstream, so a gap is only noticed by comparing with REST.
 */
export class MarketSocket {
  readonly #options: MarketSocketOptions;
  readonly #capacity: number;
  readonly #connections: Connection[] = [];
  readonly #byToken = new Map<string, Connection>();

  constructor(options: MarketSocketOptions) {
    this.#options = options;
    this.#capacity = options.tokensPerConnection ?? defaultTokensPerConnection;
    this.#open();
  }

  /** State of the connections: `open` when all are. */
  get state(): SocketState {
    const states = this.#connections.map(({ socket }) => socket.state);
    return states.find((state) => state !== 'open') ?? 'open';
  }

  /** Subscribe to tokens; those already subscribed cost nothing. */
  subscribe(tokenIds: readonly string[]): void {
    const added = new Map<Connection, string[]>();
    for (const tokenId of tokenIds) {
      if (this.#byToken.has(tokenId)) continue;
      const connection = this.#connections.find(({ tokenIds: own }) => own.size < this.#capacity) ?? this.#open();
      connection.tokenIds.add(tokenId);
      this.#byToken.set(tokenId, connection);
      added.set(connection, [...(added.get(connection) ?? []), tokenId]);
    }
    for (const [connection, own] of added) {
      // A connection that is not open yet subscribes to all its tokens when it is.
      if (connection.socket.state === 'open') send(connection, subscriptionsOf(connection, own));
    }
  }

  unsubscribe(tokenIds: readonly string[]): void {
    const removed = new Map<Connection, string[]>();
    for (const tokenId of tokenIds) {
      const connection = this.#byToken.get(tokenId);
      if (connection === undefined) continue;
      connection.tokenIds.delete(tokenId);
      this.#byToken.delete(tokenId);
      removed.set(connection, [...(removed.get(connection) ?? []), tokenId]);
    }
    for (const [connection, own] of removed) {
      send(
        connection,
        framesOf(own).map((frame) => ({ ...frame, operation: 'unsubscribe' })),
      );
    }
  }

  /** Drop every connection and open others, for a feed that stands still. */
  reconnect(): void {
    for (const { socket } of this.#connections) socket.reconnect();
  }

  close(): void {
    for (const { socket } of this.#connections) socket.close();
  }

  #open(): Connection {
    const { tokensPerConnection: _capacity, onDisconnect, ...options } = this.#options;
    const tokenIds = new Set<string>();
    const socket = openMessageSocket(
      { ...options, onDisconnect: (reason) => onDisconnect?.(reason, [...tokenIds]) },
      {
        parse: parseMarketMessage,
        subscriptionFrames: () => {
          connection.isBegun = false;
          return subscriptionsOf(connection, [...tokenIds]).map((frame) => JSON.stringify(frame));
        },
      },
    );
    const connection: Connection = { socket, tokenIds, isBegun: false };
    this.#connections.push(connection);
    return connection;
  }
}

const framesOf = (tokenIds: readonly string[]): readonly { readonly assets_ids: readonly string[] }[] => {
  const count = Math.ceil(tokenIds.length / tokensPerFrame);
  return Array.from({ length: count }, (_, index) => ({
    assets_ids: tokenIds.slice(index * tokensPerFrame, (index + 1) * tokensPerFrame),
  }));
};

/** The first frame of a connection names its type, later ones an operation. The flag asks for resolutions too. */
const subscriptionsOf = (connection: Connection, tokenIds: readonly string[]): readonly object[] =>
  framesOf(tokenIds).map((frame) => {
    const isFirst = !connection.isBegun;
    connection.isBegun = true;
    const kind = isFirst ? { type: 'market' } : { operation: 'subscribe' };
    return { ...frame, custom_feature_enabled: true, ...kind };
  });

/** A frame lost to a connection that is just ending is made up for when the next one opens. */
const send = ({ socket }: Connection, frames: readonly object[]): void => {
  for (const frame of frames) socket.send(JSON.stringify(frame));
};
