import type { MarketEventRecord } from '@core/store';
import { socketLimits } from '@core/wire';
import { passes } from '../http/respond.ts';

/** Consecutive failures of whole windows before each of their events is sent alone. */
const maxFailedWindows = 2;

/**
 * Gathers what happens to markets, so that each is announced at most once in a window. A later event of a market
 * replaces an earlier one that it covers; nothing is merged, so a client that resumes from any of them misses nothing.
 * What could not be sent is sent with the next window, in the same order: a client would not notice a gap. A window
 * that keeps failing is sent event by event, and an event that fails alone is left out.
 */
export class MarketWindow {
  readonly #send: (records: readonly MarketEventRecord[]) => Promise<void>;
  readonly #onFailure: (cause: unknown) => void;
  #gathered = new Gathered();
  #timer: NodeJS.Timeout | null = null;
  #announcedAtMs = -Infinity;
  #sending: Promise<void> | null = null;
  #isClosed = false;
  #failedCount = 0;

  /** `send` announces all of them or throws and announces none. */
  constructor(send: (records: readonly MarketEventRecord[]) => Promise<void>, onFailure: (cause: unknown) => void) {
    this.#send = send;
    this.#onFailure = onFailure;
  }

  /** @throws TypeError for an event that does not say which fields changed. */
  add(record: MarketEventRecord): void {
    changedBy(record);
    this.#gathered.add(record);
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#sending;
  }

  /** One window after the other, or two of them could overtake each other on the way to a client. */
  #schedule(): void {
    if (this.#timer !== null || this.#sending !== null || this.#isClosed || this.#gathered.isEmpty) return;
    const waitMs = Math.max(0, this.#announcedAtMs + socketLimits.marketWindowMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#announcedAtMs = performance.now();
      this.#sending = this.#announce().finally(() => {
        this.#sending = null;
        this.#schedule();
      });
    }, waitMs);
  }

  async #announce(): Promise<void> {
    const { records } = this.#gathered;
    this.#gathered = new Gathered();
    try {
      await this.#send(records);
      this.#failedCount = 0;
    } catch (cause) {
      this.#onFailure(cause);
      this.#failedCount += 1;
      this.#postpone(this.#failedCount > maxFailedWindows ? await this.#sendSingly(records) : records);
    }
  }

  /** Send each event alone. Return those that failed because the database is away. */
  async #sendSingly(records: readonly MarketEventRecord[]): Promise<readonly MarketEventRecord[]> {
    const postponed: MarketEventRecord[] = [];
    for (const record of records) {
      try {
        await this.#send([record]);
        this.#failedCount = 0;
      } catch (cause) {
        this.#onFailure(cause);
        if (passes(cause)) postponed.push(record);
      }
    }
    return postponed;
  }

  #postpone(records: readonly MarketEventRecord[]): void {
    const { records: later } = this.#gathered;
    this.#gathered = new Gathered();
    for (const record of [...records, ...later]) this.#gathered.add(record);
  }
}

/** Events in the order in which they came, without those that a later one covers. */
class Gathered {
  readonly #all = new Set<MarketEventRecord>();
  readonly #ofMarket = new Map<string | null, readonly MarketEventRecord[]>();

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  get records(): readonly MarketEventRecord[] {
    return [...this.#all];
  }

  add(record: MarketEventRecord): void {
    const earlier = this.#ofMarket.get(record.marketId) ?? [];
    for (const one of earlier) if (isCovered(one, record)) this.#all.delete(one);
    this.#ofMarket.set(record.marketId, [...earlier.filter((one) => this.#all.has(one)), record]);
    this.#all.add(record);
  }
}

function isCovered(earlier: MarketEventRecord, later: MarketEventRecord): boolean {
  if (earlier.type !== 'market.updated' || later.type !== 'market.updated') return false;
  const covered = new Set(changedBy(later));
  return changedBy(earlier).every((field) => covered.has(field));
}

function changedBy({ id, payload }: MarketEventRecord): readonly string[] {
  // Stored text may be anything.
  if (!Array.isArray(payload?.changed)) throw new TypeError(`the event ${id} does not say what changed`);
  return payload.changed;
}
