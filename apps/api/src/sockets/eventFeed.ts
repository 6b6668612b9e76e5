import { setTimeout as delay } from 'node:timers/promises';
import { type Polling, pollRepeatedly } from '@core/runtime';
import { type EventPlace, type OutboxRecord, type OutboxStore, type RunningWriter } from '@core/store';
import type { OnPoison } from '../http/soundOnes.ts';

export interface FeedOptions {
  readonly outbox: Pick<OutboxStore, 'settledPlace' | 'settledAfter' | 'subscribe' | 'oldestWriter'>;
  /** Called with each event in order; the next one waits for it. */
  readonly onEvent: (record: OutboxRecord) => Promise<void> | void;
  readonly onFailure: (cause: unknown) => void;
  readonly onPoison: OnPoison;
  /** Called once for each time events wait for long, with the transaction they wait for. */
  readonly onHeldUp: (writer: RunningWriter | null) => void;
}

/** Rows read at once. */
const batchSize = 500;
/** Events kept in memory for clients that come back. */
const keptEvents = 2_000;
/** A look without being woken: what a lost connection or a lost message would have said. */
const pollMs = 1_000;
/** Pauses between reads that find events waiting for a running transaction; the pause doubles each time. */
const waitingMs = { first: 5, longest: 250 };
/** Time that events may wait for a running transaction before it is reported. */
const heldUpMs = 5_000;

/**
 * The events of all processes, followed by this one: each once, in one order for everyone, none left out whatever
 * connection fails. The table is read; a message only wakes the reader.
 */
export class EventFeed {
  readonly #options: FeedOptions;
  readonly #recent: OutboxRecord[] = [];
  readonly #stopping = new AbortController();
  #place: EventPlace = { transactionId: 0n, sequence: 0n };
  #wake: () => void = () => undefined;
  #isWoken = false;
  #polling: Polling | null = null;
  #subscription: { close(): Promise<void> } | null = null;
  /** Since when events wait, in monotonic milliseconds, and the pause before the next read; null while none wait. */
  #waiting: { readonly sinceMs: number; readonly pauseMs: number; readonly isReported: boolean } | null = null;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Cursor of the feed: every event up to here was delivered, or is being delivered. */
  get place(): EventPlace {
    return this.#place;
  }

  /** Time for which events have been waiting for a running transaction; 0 while none wait. */
  get waitingMs(): number {
    return this.#waiting === null ? 0 : performance.now() - this.#waiting.sinceMs;
  }

  /** Begin with what commits from now on. */
  async start(): Promise<void> {
    const { outbox, onFailure } = this.#options;
    this.#place = await outbox.settledPlace();
    this.#subscription = await outbox.subscribe(() => {
      this.#isWoken = true;
      this.#wake();
    });
    this.#polling = pollRepeatedly({ task: () => this.#follow(), intervalMs: 0, onFailure: this.#failing(onFailure) });
  }

  /** An event that this process handed on lately, and those after it, oldest first; null when it is not kept. */
  recent(id: string): { readonly record: OutboxRecord; readonly later: readonly OutboxRecord[] } | null {
    const index = this.#recent.findLastIndex((record) => record.id === id);
    const record = this.#recent[index];
    return record === undefined ? null : { record, later: this.#recent.slice(index + 1) };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#subscription?.close();
    await this.#polling?.stop();
  }

  #failing(onFailure: FeedOptions['onFailure']): FeedOptions['onFailure'] {
    return (cause) => {
      if (!this.#stopping.signal.aborted) onFailure(cause);
    };
  }

  /** Read once, and pause before the next read. */
  async #follow(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#isWoken = false;
    let isMoreComing = false;
    try {
      const batch = await this.#options.outbox.settledAfter(this.#place, batchSize);
      isMoreComing = batch.isMoreComing && batch.records.length > 0;
      await this.#recordWait(batch.isMoreComing && batch.records.length === 0);
      for (const record of batch.records) await this.#handOn(record);
    } finally {
      await this.#pause(isMoreComing);
    }
  }

  /** Each read that finds nothing but events that wait makes the next pause longer, however often the feed is woken. */
  async #recordWait(isWaiting: boolean): Promise<void> {
    if (!isWaiting) {
      this.#waiting = null;
      return;
    }
    const { sinceMs, pauseMs, isReported } = this.#waiting ?? {
      sinceMs: performance.now(),
      pauseMs: waitingMs.first / 2,
      isReported: false,
    };
    const isDue = !isReported && performance.now() - sinceMs >= heldUpMs;
    this.#waiting = {
      sinceMs,
      pauseMs: Math.min(waitingMs.longest, 2 * pauseMs),
      isReported: isReported || isDue,
    };
    if (isDue) this.#options.onHeldUp(await this.#options.outbox.oldestWriter());
  }

  async #handOn(record: OutboxRecord): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    // Before anything waits: who joins from now on has this event behind it.
    this.#place = placeOf(record);
    this.#recent.push(record);
    if (this.#recent.length > 2 * keptEvents) this.#recent.splice(0, keptEvents);
    try {
      await this.#options.onEvent(record);
    } catch (cause) {
      this.#options.onPoison(record, cause);
    }
  }

  async #pause(isMoreComing: boolean): Promise<void> {
    if (isMoreComing || this.#stopping.signal.aborted) return;
    if (this.#waiting !== null) return this.#rest(this.#waiting.pauseMs);
    if (!this.#isWoken) await this.#rest(pollMs);
  }

  /** Wait; an event that commits ends the wait, unless others are known to hold it up. */
  async #rest(durationMs: number): Promise<void> {
    const resting = new AbortController();
    const isHeldUp = this.#waiting !== null;
    this.#wake = () => {
      if (!isHeldUp || this.#stopping.signal.aborted) resting.abort();
    };
    await delay(durationMs, undefined, { signal: resting.signal }).catch(() => undefined);
    this.#wake = () => undefined;
  }
}

function placeOf({ transactionId, sequence }: EventPlace): EventPlace {
  return { transactionId, sequence };
}
