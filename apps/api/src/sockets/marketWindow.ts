import type { MarketPayload, OutboxRecord } from '@core/store';
import { socketLimits } from '@core/wire';

/**
 * Gathers what happens to markets, so that each is announced at most once in a window. A later event of a market
 * replaces an earlier one that it covers; nothing is merged, so a client that resumes from any of them misses nothing.
 * What could not be sent is sent with the next window, in the same order: a hole would be seen by no client.
 */
export class MarketWindow {
  readonly #send: (records: readonly OutboxRecord[]) => Promise<void>;
  readonly #onFailure: (cause: unknown) => void;
  #gathered = new Gathered();
  #timer: NodeJS.Timeout | null = null;
  #announcedAtMs = -Infinity;
  #sending: Promise<void> | null = null;
  #isClosed = false;

  /** `send` announces all of them or throws and announces none. */
  constructor(send: (records: readonly OutboxRecord[]) => Promise<void>, onFailure: (cause: unknown) => void) {
    this.#send = send;
    this.#onFailure = onFailure;
  }

  add(record: OutboxRecord): void {
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
    } catch (cause) {
      this.#onFailure(cause);
      const { records: later } = this.#gathered;
      this.#gathered = new Gathered();
      for (const record of [...records, ...later]) this.#gathered.add(record);
    }
  }
}

/** Events in the order in which they came, without those that a later one covers. */
class Gathered {
  readonly #all = new Set<OutboxRecord>();
  readonly #ofMarket = new Map<string | null, readonly OutboxRecord[]>();

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  get records(): readonly OutboxRecord[] {
    return [...this.#all];
  }

  add(record: OutboxRecord): void {
    const earlier = this.#ofMarket.get(record.marketId) ?? [];
    for (const one of earlier) if (isCovered(one, record)) this.#all.delete(one);
    this.#ofMarket.set(record.marketId, [...earlier.filter((one) => this.#all.has(one)), record]);
    this.#all.add(record);
  }
}

function isCovered(earlier: OutboxRecord, later: OutboxRecord): boolean {
  if (earlier.type !== 'market.updated' || later.type !== 'market.updated') return false;
  const covered = new Set((later.payload as MarketPayload).changed);
  return (earlier.payload as MarketPayload).changed.every((field) => covered.has(field));
}
