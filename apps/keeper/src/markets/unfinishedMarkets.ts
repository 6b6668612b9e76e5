import type { DueMarket, Store } from '@core/store';

/** The markets that are not final, kept beside the database: after the first look only what changed is read. */
export class UnfinishedMarkets {
  readonly #store: Pick<Store['markets'], 'unfinalized' | 'changedSince'>;
  readonly #byTicker = new Map<string, DueMarket>();
  /** Up to which version changes were taken in; null before the first look. */
  #version: bigint | null = null;

  constructor(store: Pick<Store['markets'], 'unfinalized' | 'changedSince'>) {
    this.#store = store;
  }

  async refresh(): Promise<void> {
    if (this.#version === null) {
      const { records, version } = await this.#store.unfinalized();
      for (const market of records) this.#byTicker.set(market.ticker, market);
      this.#version = version;
      return;
    }
    for (const market of await this.#store.changedSince(this.#version)) {
      if (market.status === 'finalized') this.#byTicker.delete(market.ticker);
      else this.#byTicker.set(market.ticker, market);
      this.#version = market.version;
    }
  }

  of(ticker: string): DueMarket | null {
    return this.#byTicker.get(ticker) ?? null;
  }

  /** Soonest close first; without a known close last. */
  get inOrder(): readonly DueMarket[] {
    return [...this.#byTicker.values()].sort((left, right) => closeOf(left) - closeOf(right));
  }
}

function closeOf({ closeTimeMs }: DueMarket): number {
  return closeTimeMs ?? Number.MAX_SAFE_INTEGER;
}
