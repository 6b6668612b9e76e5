import type { Transport } from '../http/transport.ts';
import { EventStream, type MarketStreamOptions, type StreamOptions } from './eventStream.ts';

/** Streams of one caller; `own` is the gateway of its credential. */
export class Events<Own extends 'partner' | 'user'> {
  readonly #transport: Transport;
  readonly #own: Own;

  constructor(transport: Transport, own: Own) {
    this.#transport = transport;
    this.#own = own;
  }

  /** Stream the caller's positions: a snapshot, then every event. A user's stream includes notifications. */
  stream(options: StreamOptions = {}): EventStream<Own> {
    return new EventStream(this.#transport, this.#own, options);
  }

  /** Stream new and changed markets, without a snapshot. `onPrices` receives prices. */
  markets(options: MarketStreamOptions = {}): EventStream<'markets'> {
    return new EventStream(this.#transport, 'markets', options);
  }
}
