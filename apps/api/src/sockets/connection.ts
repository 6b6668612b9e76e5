import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import {
  comparePlaces,
  type DatabaseSnapshot,
  type EventAudience,
  type EventPlace,
  isSeenBy,
  type OutboxRecord,
} from '@core/store';
import { closeCodes, type Gateway, type ServerFrame, socketLimits } from '@core/wire';
import type { WebSocket } from 'ws';
import type { Caller } from '../auth/authenticate.ts';
import type { VerifiedToken } from '../auth/userTokens.ts';
import { eventTextFrame } from './textFrame.ts';

type CloseReason = keyof typeof closeCodes;

/** Caller of a connection and the time at which its credential expires. */
export interface Admitted {
  readonly gateway: Gateway;
  readonly caller: Caller;
  readonly audience: EventAudience;
  /** A user's token: it runs out, and its key may be withdrawn. Null for a key. */
  readonly token: VerifiedToken | null;
  /** The Authorization text of a key: keys are revoked, so it is asked again. Null for a token. */
  readonly keyText: string | null;
}

interface Waiting {
  readonly record: EventPlace;
  readonly body: Buffer;
}

/** A slow reader is cut off when its close frame does not arrive either. */
const closingTimeoutMs = 2_000;
/** Random bytes of a ping. */
const pingBytes = 8;
/** Longest wait for a client to take what a replay has written. */
const drainTimeoutMs = 20_000;
/** Clients come back spread over this time, so that the next process is not met by all of them at once. */
const retryAfterMs = { minimum: 250, maximum: 5_000 };

/**
 * One client. Until it has caught up, events wait in order; then each goes out at once. What it does not take in time
 * is bounded in bytes: then the connection ends, and no other one notices.
 */
export class Connection {
  readonly id = `con_${randomBytes(9).toString('hex')}`;
  readonly gateway: Gateway;
  readonly caller: Caller;
  readonly audience: EventAudience;
  readonly keyText: string | null;
  #token: VerifiedToken | null;
  isWarned = false;
  heardAtMs = performance.now();
  pingedAtMs = performance.now();
  /** The ping that was not answered yet; null when all were. Only a client that reads can repeat its bytes. */
  #unanswered: { readonly sinceMs: number; readonly bytes: Buffer } | null = null;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  #seq = 0;
  #joinedAt: EventPlace = { transactionId: 0n, sequence: 0n };
  /** Null when the connection has caught up. */
  #waiting: Waiting[] | null = [];
  #waitingBytes = 0;
  /** Database snapshot whose events the client has seen already; null once none of them can follow. */
  #shown: DatabaseSnapshot | null = null;

  constructor(admitted: Admitted, socket: WebSocket, stream: Duplex) {
    this.gateway = admitted.gateway;
    this.caller = admitted.caller;
    this.audience = admitted.audience;
    this.keyText = admitted.keyText;
    this.#token = admitted.token;
    this.#socket = socket;
    this.#stream = stream;
    socket.on('pong', (bytes) => {
      if (this.#unanswered?.bytes.equals(bytes) === true) this.#unanswered = null;
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get token(): VerifiedToken | null {
    return this.#token;
  }

  renew(token: VerifiedToken): void {
    this.#token = token;
    this.isWarned = false;
  }

  /** From here on events wait. Everything up to the place is behind it. */
  beginJoin(place: EventPlace): void {
    this.#joinedAt = place;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#shown = null;
  }

  /** Send the queued events without those that the snapshot contains, then every later event at once. */
  async endJoin(shown: DatabaseSnapshot | null): Promise<void> {
    this.#shown = shown;
    for (let next = this.#waiting?.shift(); next !== undefined; next = this.#waiting?.shift()) {
      this.#waitingBytes -= next.body.length;
      if (!(await this.drained())) return;
      this.#sendUnshown(next.record, next.body);
    }
    this.#waiting = null;
  }

  /** An event of the feed, with its frame from the number on. */
  deliver(record: EventPlace, body: Buffer): void {
    if (!this.isOpen || comparePlaces(record, this.#joinedAt) <= 0) return;
    if (this.#waiting === null) {
      this.#sendUnshown(record, body);
      return;
    }
    this.#waitingBytes += body.length;
    if (this.#waitingBytes > socketLimits.waitingBytes) this.close('slowReader');
    else this.#waiting.push({ record: placeOf(record), body });
  }

  #sendUnshown(record: EventPlace, body: Buffer): void {
    if (this.#shown !== null && record.transactionId >= this.#shown.xmax) this.#shown = null;
    if (this.#shown === null || !isSeenBy(this.#shown, record.transactionId)) this.sendEvent(body);
  }

  /** Send an event frame with the connection's next number. */
  sendEvent(body: Buffer): void {
    if (!this.isOpen) return;
    if (this.#stream.writableLength + body.length > socketLimits.waitingBytes) {
      this.close('slowReader');
      return;
    }
    this.#seq += 1;
    // The library writes its own frames to the same stream at once, uncompressed: the order is that of the calls.
    this.#stream.write(eventTextFrame(this.#seq, body));
  }

  sendFrame(frame: ServerFrame): void {
    if (!this.isOpen) return;
    if (this.#stream.writableLength > socketLimits.waitingBytes) this.close('slowReader');
    else this.#socket.send(JSON.stringify(frame));
  }

  /** Time since the client stopped reading, as its pings show; 0 for a client that reads. */
  unreadForMs(runningMs: number): number {
    return this.#unanswered === null ? 0 : runningMs - this.#unanswered.sinceMs;
  }

  ping(): void {
    this.pingedAtMs = performance.now();
    // The same bytes until they are answered: an answer may take longer than the pause between two pings.
    this.#unanswered ??= { sinceMs: this.pingedAtMs, bytes: randomBytes(pingBytes) };
    this.#socket.ping(this.#unanswered.bytes);
  }

  /** Resolve when most of the written bytes have left; false when the client left or does not read. */
  async drained(): Promise<boolean> {
    const endMs = performance.now() + drainTimeoutMs;
    while (this.isOpen && this.#stream.writableLength > socketLimits.waitingBytes / 4) {
      if (performance.now() > endMs) this.close('slowReader');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.isOpen;
  }

  close(reason: CloseReason): void {
    if (!this.isOpen) return;
    this.#waiting = null;
    const { code, reason: text } = closeCodes[reason];
    this.#socket.close(code, text);
    setTimeout(() => this.#socket.terminate(), closingTimeoutMs).unref();
  }

  /** Ask the client to reconnect later, at a random time, and close the connection. */
  postpone(): void {
    const { minimum, maximum } = retryAfterMs;
    const retry_after_ms = Math.round(minimum + Math.random() * (maximum - minimum));
    this.sendFrame({ frame: 'restarting', retry_after_ms });
    this.close('restart');
  }

  terminate(): void {
    this.#socket.terminate();
  }
}

function placeOf({ transactionId, sequence }: OutboxRecord | EventPlace): EventPlace {
  return { transactionId, sequence };
}
