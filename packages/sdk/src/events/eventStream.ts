import { NetworkError } from '../errors/levError.ts';
import { finalCloseCodes, type Gateway } from '../generated/events.ts';
import type { Position } from '../generated/resources.ts';
import type { Surroundings } from '../http/surroundings.ts';
import type { Transport } from '../http/transport.ts';
import type { Frame, GapEvent, StreamEvent } from './frames.ts';
import { openLink, type SocketLink } from './socketLink.ts';

export interface StreamOptions {
  /** ID of the last event that was handled: the stream goes on after it. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const shortestPauseMs = 250;
const longestPauseMs = 30_000;

/** Frames that are read in their order; all others are about the connection. */
const streamFrames: ReadonlySet<Frame['frame']> = new Set(['connected', 'snapshot', 'event', 'resync_required']);

/** Pause before the next attempt: full jitter, 0.25 to 30 seconds, and at least what a leaving service asks for. */
export function reconnectPauseMs(attempt: number, askedMs: number, random: Surroundings['random']): number {
  const ceilingMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** (attempt + 1));
  return Math.max(askedMs, shortestPauseMs + random() * (ceilingMs - shortestPauseMs));
}

/**
 * Events of one gateway, in order. The stream connects again by itself and goes on after the last event it has yielded;
 * where that cannot be done it yields a gap. It ends with the loop that reads it, or with the signal.
 */
export class EventStream<G extends Gateway> implements AsyncIterable<StreamEvent<G>> {
  readonly #transport: Transport;
  readonly #gateway: G;
  readonly #signal: AbortSignal | undefined;
  #lastEventId: string | null;
  /** True once something was yielded: before that nothing can be missing. */
  #hasBegun: boolean;
  /** Attempts since something came. */
  #attempt = 0;
  #askedPauseMs = 0;

  constructor(transport: Transport, gateway: G, options: StreamOptions = {}) {
    this.#transport = transport;
    this.#gateway = gateway;
    this.#signal = options.signal;
    this.#lastEventId = options.after ?? null;
    this.#hasBegun = options.after !== undefined;
  }

  /** Where another stream can go on: the last event yielded, or the one before a snapshot. Null at the beginning. */
  get lastEventId(): string | null {
    return this.#lastEventId;
  }

  /** @throws ServiceError `unauthorized` when the credential is refused; NetworkError after a final close. */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent<G>, void, undefined> {
    const { surroundings } = this.#transport;
    while (this.#signal?.aborted !== true) {
      const link = await openLink(this.#transport, {
        gateway: this.#gateway,
        resumeFrom: this.#lastEventId,
        serve: (frame, of) => this.#serve(frame, of),
      });
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
      const pauseMs = reconnectPauseMs(this.#attempt, this.#askedPauseMs, surroundings.random);
      this.#attempt += 1;
      this.#askedPauseMs = 0;
      await this.#pause(pauseMs);
    }
  }

  /** Waits; a signal ends the wait, and the loop sees it. */
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
        // Without snapshots the stream begins here.
        if (this.#gateway === 'markets') this.#hasBegun = true;
      } else if (frame.frame === 'resync_required') {
        positions = [];
        yield gap(frame.reason);
      } else if (frame.frame === 'snapshot') {
        positions.push(...frame.positions);
        if (frame.has_more) continue;
        this.#attempt = 0;
        this.#lastEventId = frame.last_event_id;
        this.#hasBegun = true;
        yield eventOf({ type: 'snapshot', positions });
        positions = [];
      } else if (frame.frame === 'event') {
        // A number that is missing: the connection is not to be believed, the place in the stream is.
        if (frame.seq !== seq + 1) return;
        seq = frame.seq;
        this.#attempt = 0;
        this.#lastEventId = frame.id;
        this.#hasBegun = true;
        const { type, id, created_at, data } = frame;
        yield eventOf({ type, id, created_at, data });
      }
    }
  }

  /** Sees to frames about the connection itself, at once, however long the reader takes for an event. */
  #serve(frame: Frame, link: SocketLink): boolean {
    if (frame.frame === 'restarting') this.#askedPauseMs = frame.retry_after_ms;
    if (frame.frame === 'token_expiring') {
      // A token that cannot be had now is asked for again by the next connection, which also says why.
      this.#transport.credential.renewed().then(
        (token) => (token === null ? undefined : link.send({ action: 'authenticate', token })),
        () => link.close(),
      );
    }
    return !streamFrames.has(frame.frame);
  }

  /** Throws when connecting again is of no use. */
  async #judgeEnd(link: SocketLink): Promise<void> {
    const { wasOpen, code } = link.end;
    const reason = finalCloseCodes[code];
    // A browser does not say why a handshake was refused; the answer to a plain request does.
    if (!wasOpen || reason !== undefined) await this.#probe();
    if (reason !== undefined && this.#attempt > 0) {
      throw new NetworkError(`the service ended the stream with ${code}: ${reason}`);
    }
  }

  /** Asks for something small with the same credential: only a refused credential is an answer. */
  async #probe(): Promise<void> {
    try {
      const user = await this.#transport.credential.token();
      await this.#transport.call(user === null ? 'getPartnerLimits' : 'getUserLimits', {}, { signal: this.#signal });
    } catch (cause) {
      if (cause instanceof Error && Reflect.get(cause, 'code') === 'unauthorized') throw cause;
    }
  }
}

/** An event as the type of its gateway names it. */
const eventOf = <G extends Gateway>(event: object): StreamEvent<G> => event as StreamEvent<G>;

const gap = <G extends Gateway>(reason: GapEvent['reason']): StreamEvent<G> => eventOf({ type: 'gap', reason });
