import { LevError, NetworkError } from '../errors/levError.ts';
import { finalCloseCodes, type Gateway } from '../generated/events.ts';
import type { Position } from '../generated/resources.ts';
import type { Surroundings } from '../http/surroundings.ts';
import type { Transport } from '../http/transport.ts';
import {
  type Frame,
  type GapEvent,
  isFollowedPrices,
  type PricesFrame,
  readablePositions,
  type StreamEvent,
} from './frames.ts';
import { openLink, type SocketLink } from './socketLink.ts';

export interface StreamOptions {
  /** ID of the last processed event; the stream continues after it. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface MarketStreamOptions extends StreamOptions {
  /** Listener for prices of the markets that `followPrices` names. Prices are not resumed. */
  readonly onPrices?: ((frame: PricesFrame) => void) | undefined;
}

const shortestPauseMs = 250;
const longestPauseMs = 30_000;
/** Maximum pause that a restarting service can request. */
const longestAskedMs = 300_000;

/** Frames that are read in order; all others concern the connection. */
const streamFrames: ReadonlySet<Frame['frame']> = new Set([
  'connected',
  'snapshot',
  'event',
  'resync_required',
  'unreadable',
]);

/** Return the pause before the next attempt: full jitter, 0.25 to 30 seconds, and at least the requested pause. */
export function reconnectPauseMs(attempt: number, askedMs: number, random: Surroundings['random']): number {
  const ceilingMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** (attempt + 1));
  return Math.max(askedMs, shortestPauseMs + random() * (ceilingMs - shortestPauseMs));
}

/**
 * Ordered events of one gateway. The stream reconnects by itself and continues after the last event it has yielded. It
 * yields a gap where that is impossible. It ends with the loop that reads it, or with the signal.
 */
export class EventStream<G extends Gateway> implements AsyncIterable<StreamEvent<G>> {
  readonly #transport: Transport;
  readonly #gateway: G;
  readonly #signal: AbortSignal | undefined;
  readonly #onPrices: MarketStreamOptions['onPrices'];
  #lastEventId: string | null;
  /** True after the first item was yielded; before that nothing can be missing. */
  #hasBegun: boolean;
  /** Attempts since the last received frame. */
  #attempt = 0;
  /** Event after which the stream was unreadable; undefined while it is readable. */
  #brokenAt: string | null | undefined = undefined;
  #askedPauseMs = 0;
  #followed: readonly string[] = [];
  #link: SocketLink | null = null;

  constructor(transport: Transport, gateway: G, options: MarketStreamOptions = {}) {
    this.#transport = transport;
    this.#gateway = gateway;
    this.#signal = options.signal;
    this.#onPrices = options.onPrices;
    this.#lastEventId = options.after ?? null;
    this.#hasBegun = options.after !== undefined;
  }

  /**
   * Position from which another stream can resume: the last event yielded, or the one before a snapshot. Null at the
   * start.
   */
  get lastEventId(): string | null {
    return this.#lastEventId;
  }

  /**
   * Replace the markets whose prices `onPrices` receives, on this and every later connection.
   *
   * @param tickers Tickers of the markets, at most 500.
   */
  followPrices(this: EventStream<'markets'>, tickers: readonly string[]): void {
    this.#followed = tickers;
    this.#link?.send({ action: 'follow_prices', tickers });
  }

  /**
   * Yield the events of the gateway.
   *
   * @throws ServiceError `unauthorized` when the credential is refused; NetworkError after a final close.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent<G>, void, undefined> {
    const { surroundings } = this.#transport;
    while (this.#signal?.aborted !== true) {
      const authorization = await this.#authorization();
      if (authorization !== undefined) {
        const link = await openLink(this.#transport, {
          gateway: this.#gateway,
          authorization,
          resumeFrom: this.#lastEventId,
          serve: (frame, of) => this.#serve(frame, of),
        });
        this.#link = link;
        const stop = (): void => link.close();
        this.#signal?.addEventListener('abort', stop, { once: true });
        try {
          yield* this.#read(link);
        } finally {
          this.#signal?.removeEventListener('abort', stop);
          link.close();
        }
        if (this.#signal?.aborted) return;
        await this.#judgeEnd(link);
      }
      const pauseMs = reconnectPauseMs(this.#attempt, this.#askedPauseMs, surroundings.random);
      this.#attempt += 1;
      this.#askedPauseMs = 0;
      await this.#pause(pauseMs);
    }
  }

  /**
   * Return the Authorization header; undefined when the source of tokens fails for now. An error of the client that no
   * repetition heals ends the stream; any other error of the source is reported.
   */
  async #authorization(): Promise<string | null | undefined> {
    try {
      return await this.#transport.authorization(this.#transport.deadlineWith(this.#signal));
    } catch (cause) {
      if (this.#signal?.aborted === true) return undefined;
      if (!(cause instanceof LevError)) this.#transport.surroundings.report(cause);
      else if (!cause.retryable) throw cause;
      return undefined;
    }
  }

  /** Wait. A signal ends the wait, and the loop checks it. */
  async #pause(milliseconds: number): Promise<void> {
    try {
      await this.#transport.surroundings.sleep(milliseconds, this.#signal);
    } catch (cause) {
      if (this.#signal?.aborted !== true) throw cause;
    }
  }

  async *#read(link: SocketLink): AsyncGenerator<StreamEvent<G>, void, undefined> {
    let seq = 0;
    let positions: Position[] = [];
    for (let frame = await link.next(); frame !== null; frame = await link.next()) {
      if (frame.frame === 'connected') {
        const before = this.#lastEventId;
        if (before === null && this.#hasBegun) yield gap('nothing_to_resume_from');
        if (before === null) this.#lastEventId = frame.last_event_id ?? null;
        // Without snapshots the stream starts here.
        if (this.#gateway === 'markets') this.#hasBegun = true;
        if (this.#followed.length > 0) link.send({ action: 'follow_prices', tickers: this.#followed });
      } else if (frame.frame === 'resync_required') {
        positions = [];
        yield gap(frame.reason);
      } else if (frame.frame === 'snapshot') {
        positions.push(...readablePositions(frame.positions));
        if (frame.has_more) continue;
        this.#attempt = 0;
        this.#lastEventId = frame.last_event_id;
        this.#hasBegun = true;
        yield eventOf({ type: 'snapshot', positions });
        positions = [];
      } else if (frame.frame === 'unreadable') {
        if (this.#breaks()) return;
        seq += 1;
        yield gap('unreadable_event');
      } else if (frame.frame === 'event') {
        if (frame.seq !== seq + 1) {
          if (this.#breaks()) return;
          yield gap('unreadable_event');
        }
        this.#brokenAt = undefined;
        seq = frame.seq;
        this.#attempt = 0;
        this.#lastEventId = frame.id;
        this.#hasBegun = true;
        const { type, id, created_at, data } = frame;
        yield eventOf({ type, id, created_at, data });
      }
    }
  }

  /**
   * Return true when a missing or unreadable event ends the connection: the last event is trusted, the connection is
   * not. Return false when the next connection fails after the same event: the stream continues after the gap.
   */
  #breaks(): boolean {
    const isFirst = this.#brokenAt !== this.#lastEventId;
    this.#brokenAt = this.#lastEventId;
    return isFirst;
  }

  /** Pass prices to the listener; an error of the listener does not end the stream. */
  #showPrices(frame: PricesFrame): void {
    try {
      this.#onPrices?.(frame);
    } catch (failure) {
      this.#transport.surroundings.report(failure);
    }
  }

  /** Handle frames about the connection immediately, however long the reader takes for an event. */
  #serve(frame: Frame, link: SocketLink): boolean {
    if (frame.frame === 'prices') this.#showPrices({ at: frame.at, markets: frame.markets.filter(isFollowedPrices) });
    if (frame.frame === 'restarting') this.#askedPauseMs = Math.min(frame.retry_after_ms, longestAskedMs);
    if (frame.frame === 'token_expiring') {
      // The next connection requests a token again when none is available now, and reports the reason.
      this.#transport.credential.renewed().then(
        (token) => (token === null ? undefined : link.send({ action: 'authenticate', token })),
        () => link.close(),
      );
    }
    return !streamFrames.has(frame.frame);
  }

  /** Throw when a new connection would fail as well. */
  async #judgeEnd(link: SocketLink): Promise<void> {
    const { wasOpen, code } = link.end;
    const reason = finalCloseCodes[code];
    // A browser hides the reason of a refused handshake; the response to a plain request has it.
    if (!wasOpen || reason !== undefined) await this.#probe();
    if (reason !== undefined && this.#attempt > 0) {
      throw new NetworkError(`the service ended the stream with ${code}: ${reason}`);
    }
  }

  /** Send a small request with the same credential; only a refused credential counts. */
  async #probe(): Promise<void> {
    try {
      const signal = this.#signal;
      const header = await this.#authorization();
      if (header === undefined) return;
      await this.#transport.call(header?.startsWith('Bearer') ? 'getUserLimits' : 'getPartnerLimits', {}, { signal });
    } catch (cause) {
      if (cause instanceof Error && Reflect.get(cause, 'code') === 'unauthorized') throw cause;
    }
  }
}

/** Narrow an event to the type of its gateway. */
const eventOf = <G extends Gateway>(event: object): StreamEvent<G> => event as StreamEvent<G>;

const gap = <G extends Gateway>(reason: GapEvent['reason']): StreamEvent<G> => eventOf({ type: 'gap', reason });
