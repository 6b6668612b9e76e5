import type { Transport } from '../http/transport.ts';
import { EventStream, type StreamOptions } from './eventStream.ts';

/** Streams of one caller; `own` is the gateway its credential opens. */
export class Events<Own extends 'partner' | 'user'> {
  readonly #transport: Transport;
  readonly #own: Own;

  constructor(transport: Transport, own: Own) {
    this.#transport = transport;
    this.#own = own;
  }

  /** The caller's positions: a snapshot, then every event. A user's stream carries notifications, too. */
  stream(options: StreamOptions = {}): EventStream<Own> {
    return new EventStream(this.#transport, this.#own, options);
  }

  /** Markets as they are listed and change; without a snapshot. */
  markets(options: StreamOptions = {}): EventStream<'markets'> {
    return new EventStream(this.#transport, 'markets', options);
  }
}
