import type { DueMarket, Store } from '@core/store';

/** Cache of the markets that are not final: after the first read only changes are read. */
export class UnfinishedMarkets {
  readonly #store: Pick<Store['markets'], 'unfinalized' | 'changedSince'>;
  readonly #byTicker = new Map<string, DueMarket>();
  /** Version up to which changes were read; null before the first read. */
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

  /** Markets by close time, the soonest first; those without one last. */
  get inOrder(): readonly DueMarket[] {
    return [...this.#byTicker.values()].sort((left, right) => closeOf(left) - closeOf(right));
  }
}

function closeOf({ closeTimeMs }: DueMarket): number {
  return closeTimeMs ?? Number.MAX_SAFE_INTEGER;
}
