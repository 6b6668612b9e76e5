import type { CryptoSettlement } from '@core/market';
import type { Clock } from '@core/runtime';
import type { ReferenceSockets } from '../profile/venueProfile.ts';
import { ReconnectingSocket, type SocketState, type SocketTiming } from '../socket/reconnectingSocket.ts';
import { parseExactJson } from '../text/exactJson.ts';
import { GameStates } from './gameStates.ts';
import type { GameReading, ReferenceFeeds, SpotReading } from './referenceFeeds.ts';
import { SpotAgreement, type SpotFeed } from './spotAgreement.ts';
import { coinbaseMessageOf, krakenMessagesOf, liveDataMessageOf, type SpotMessage } from './spotFrames.ts';

export interface SocketReferenceFeedsOptions {
  readonly sockets: ReferenceSockets;
  /** Upper-case symbols to follow at the independent exchanges. */
  readonly assets: readonly string[];
  readonly clock: Clock;
  readonly timing?: Partial<SocketTiming>;
  readonly random?: () => number;
  /** Called with the name of a socket whose connection was lost. */
  readonly onLost?: (feed: ReferenceSocketName) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export type ReferenceSocketName = keyof ReferenceSockets;

/** Values and heartbeats come once a second, states of games every few seconds while one runs. */
const usualTiming: Partial<SocketTiming> = { pingIntervalMs: 5_000, silenceMs: 10_000 };
const sportsTiming: Partial<SocketTiming> = { silenceMs: 60_000 };

/** One message of a frame; null for a frame that is no JSON. */
function messageOf(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Spot prices and game states from sockets: the venue's own price and sports sockets, and two exchanges that confirm
 * its prices. Nothing is believed that no independent exchange agrees with.
 */
export class SocketReferenceFeeds implements ReferenceFeeds {
  readonly #options: SocketReferenceFeedsOptions;
  readonly #spots = new SpotAgreement();
  readonly #games = new GameStates();
  readonly #sockets: Readonly<Record<ReferenceSocketName, ReconnectingSocket>>;
  readonly #now: () => number;

  constructor(options: SocketReferenceFeedsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    const { assets } = options;
    const subscriptions = ['crypto_prices', 'crypto_prices_chainlink'].map((topic) => ({ topic, type: 'update' }));
    this.#sockets = {
      // Without filters: a second filter would replace the first, and values are distinguished here.
      liveData: this.#open('liveData', {
        frames: [{ action: 'subscribe', subscriptions }],
        pingText: 'PING',
        onText: (text) => this.#onPrice(liveDataMessageOf(messageOf(text))),
      }),
      sports: this.#open('sports', {
        frames: [],
        pingText: null,
        onText: (text, send) => {
          if (text.trim() === 'ping') send('pong');
          else this.#games.record(messageOf(text), { nowMs: this.#nowMs, monotonicMs: this.#now() });
        },
      }),
      coinbase: this.#open('coinbase', {
        frames: [
          {
            type: 'subscribe',
            product_ids: assets.map((asset) => `${asset}-USD`),
            channels: ['ticker', 'heartbeat'],
          },
        ],
        pingText: null,
        onText: (text) => this.#onPrice(coinbaseMessageOf(messageOf(text))),
      }),
      kraken: this.#open('kraken', {
        frames: [{ method: 'subscribe', params: { channel: 'ticker', symbol: assets.map((asset) => `${asset}/USD`) } }],
        pingText: null,
        onText: (text) => {
          for (const message of krakenMessagesOf(messageOf(text))) this.#onPrice(message);
        },
      }),
    };
  }

  /** State of each connection. */
  get states(): Readonly<Record<ReferenceSocketName, SocketState>> {
    const { liveData, sports, coinbase, kraken } = this.#sockets;
    return { liveData: liveData.state, sports: sports.state, coinbase: coinbase.state, kraken: kraken.state };
  }

  spotOf(asset: string, settlement: CryptoSettlement | null = null): SpotReading | null {
    return this.#spots.reading(asset, settlement);
  }

  gameOf(eventSlug: string, gameId: string | null = null): GameReading | null {
    return gameId === null ? null : this.#games.stateOf(eventSlug, gameId);
  }

  assets(): ReadonlySet<string> {
    return this.#spots.assets;
  }

  close(): void {
    for (const socket of Object.values(this.#sockets)) socket.close();
  }

  get #nowMs(): number {
    return this.#options.clock.nowMs();
  }

  #onPrice(message: SpotMessage | null): void {
    if (message === null) return;
    if (message.kind !== 'price') this.#confirm(message.feed);
    // The venue's socket sends every asset it has; only those that the exchanges are asked for can have a reading.
    else if (this.#options.assets.includes(message.price.asset)) {
      this.#spots.record(message.feed, message.price, this.#nowMs);
    }
  }

  #confirm(feed: SpotFeed): void {
    this.#spots.confirm(feed, this.#options.assets, this.#nowMs);
  }

  #open(
    name: ReferenceSocketName,
    protocol: {
      readonly frames: readonly object[];
      readonly pingText: string | null;
      readonly onText: (text: string, send: (text: string) => void) => void;
    },
  ): ReconnectingSocket {
    const { sockets, timing, random, onLost } = this.#options;
    const socket: ReconnectingSocket = new ReconnectingSocket({
      url: sockets[name],
      timing: { ...usualTiming, ...(name === 'sports' ? sportsTiming : {}), ...timing },
      ...(random === undefined ? {} : { random }),
      pingText: protocol.pingText,
      onOpen: (send) => {
        for (const frame of protocol.frames) send(JSON.stringify(frame));
      },
      onText: (text) => protocol.onText(text, (answer) => socket.send(answer)),
      onDisconnect: () => onLost?.(name),
    });
    return socket;
  }
}
