import { setTimeout as delay } from 'node:timers/promises';
import { type Polling, pollRepeatedly } from '@core/runtime';
import { type EventPlace, type OutboxRecord, type OutboxStore } from '@core/store';

export interface FeedOptions {
  readonly outbox: Pick<OutboxStore, 'settledPlace' | 'settledAfter' | 'subscribe'>;
  /** Called with each event in order; the next one waits for it. */
  readonly onEvent: (record: OutboxRecord) => Promise<void> | void;
  readonly onFailure: (cause: unknown) => void;
}

/** Rows read at once. */
const batchSize = 500;
/** Events kept in memory for clients that come back. */
const keptEvents = 2_000;
/** A look without being woken: what a lost connection or a lost message would have said. */
const pollMs = 1_000;
/** A look at events behind a transaction that still runs. */
const comingMs = 5;

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

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Where the feed is: every event up to here was handed on, or has begun to be. */
  get place(): EventPlace {
    return this.#place;
  }

  /** Begins with what commits from now on. */
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

  /** One reading and the wait for the next. */
  async #follow(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#isWoken = false;
    let isMoreComing = false;
    try {
      const read = await this.#options.outbox.settledAfter(this.#place, batchSize);
      isMoreComing = read.isMoreComing;
      for (const record of read.records) await this.#handOn(record);
    } finally {
      await this.#rest(isMoreComing ? comingMs : pollMs);
    }
  }

  async #handOn(record: OutboxRecord): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    // Before anything waits: who joins from now on has this event behind it.
    this.#place = placeOf(record);
    this.#recent.push(record);
    if (this.#recent.length > 2 * keptEvents) this.#recent.splice(0, keptEvents);
    await this.#options.onEvent(record);
  }

  async #rest(durationMs: number): Promise<void> {
    if (this.#isWoken || this.#stopping.signal.aborted) return;
    const resting = new AbortController();
    this.#wake = () => resting.abort();
    await delay(durationMs, undefined, { signal: resting.signal }).catch(() => undefined);
    this.#wake = () => undefined;
  }
}

function placeOf({ transactionId, sequence }: EventPlace): EventPlace {
  return { transactionId, sequence };
}
