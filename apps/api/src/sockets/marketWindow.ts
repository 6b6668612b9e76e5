import type { MarketPayload, OutboxRecord } from '@core/store';
import { socketLimits } from '@core/wire';

/**
 * Gathers what happens to markets, so that each is announced at most once in a window. A later event of a market
 * replaces an earlier one that it covers; nothing is merged, so a client that resumes from any of them misses nothing.
 */
export class MarketWindow {
  readonly #send: (records: readonly OutboxRecord[]) => Promise<void>;
  readonly #onFailure: (cause: unknown) => void;
  #gathered: OutboxRecord[] = [];
  #timer: NodeJS.Timeout | null = null;
  #announcedAtMs = -Infinity;
  #sending: Promise<void> = Promise.resolve();

  constructor(send: (records: readonly OutboxRecord[]) => Promise<void>, onFailure: (cause: unknown) => void) {
    this.#send = send;
    this.#onFailure = onFailure;
  }

  add(record: OutboxRecord): void {
    this.#gathered = [...this.#gathered.filter((earlier) => !isCovered(earlier, record)), record];
    if (this.#timer !== null) return;
    const waitMs = Math.max(0, this.#announcedAtMs + socketLimits.marketWindowMs - performance.now());
    this.#timer = setTimeout(() => this.#flush(), waitMs);
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#sending;
  }

  #flush(): void {
    const records = this.#gathered;
    this.#gathered = [];
    this.#timer = null;
    this.#announcedAtMs = performance.now();
    // One window after the other, or two of them could overtake each other on the way to a client.
    this.#sending = this.#sending.then(() => this.#send(records)).catch(this.#onFailure);
  }
}

function isCovered(earlier: OutboxRecord, later: OutboxRecord): boolean {
  if (earlier.marketId !== later.marketId || earlier.type !== 'market.updated' || later.type !== 'market.updated') {
    return false;
  }
  const covered = new Set((later.payload as MarketPayload).changed);
  return (earlier.payload as MarketPayload).changed.every((field) => covered.has(field));
}
