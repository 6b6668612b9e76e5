import { onlyFaults, type Polling, pollRepeatedly } from '@core/runtime';
import { type MarketWatch, observedStatusOf, plainOverlayOf, type VenueClient, type VenueMarket } from '@core/venue';
import type { Logger } from 'pino';

const pageLimit = 500;

/**
 * Reads the venue's catalogue again and again and keeps the watch on every market that could hold a position. The
 * signer lists for itself: neither the API's nor the keeper's view of a market is used.
 */
export class CatalogueFollower {
  readonly #client: VenueClient;
  readonly #watch: MarketWatch;
  readonly #logger: Logger;
  readonly #intervalMs: number;
  #polling: Polling | null = null;
  #isClosed = false;
  #hasRead = false;

  constructor(parameters: {
    readonly client: VenueClient;
    readonly watch: MarketWatch;
    readonly logger: Logger;
    readonly intervalMs: number;
  }) {
    this.#client = parameters.client;
    this.#watch = parameters.watch;
    this.#logger = parameters.logger;
    this.#intervalMs = parameters.intervalMs;
  }

  /** True once a whole catalogue was read. */
  get hasRead(): boolean {
    return this.#hasRead;
  }

  /** Reads once and goes on reading in the background. */
  async start(): Promise<void> {
    const onFailure = onlyFaults((err) => {
      if (!this.#isClosed) this.#logger.warn({ err }, 'the catalogue cannot be read');
    });
    await this.#read().catch(onFailure);
    const intervalMs = this.#intervalMs;
    if (this.#isClosed) return;
    this.#polling = pollRepeatedly({ task: () => this.#read(), intervalMs, firstDelayMs: intervalMs, onFailure });
  }

  close(): void {
    this.#isClosed = true;
    void this.#polling?.stop();
  }

  async #read(): Promise<void> {
    let cursor: string | null = null;
    do {
      const page = await this.#client.cataloguePage({ limit: pageLimit, ...(cursor === null ? {} : { cursor }) });
      for (const market of page.markets) this.#follow(market);
      cursor = page.nextCursor;
    } while (cursor !== null && !this.#isClosed);
    this.#hasRead = true;
  }

  #follow(market: VenueMarket): void {
    if (!canHoldPosition(market)) {
      this.#watch.unwatch(market.ticker);
      return;
    }
    // The signer has no ids of its own: a market is found by its condition id, which is on chain.
    this.#watch.watch(market, plainOverlayOf(market.ticker, observedStatusOf(market)));
  }
}

function canHoldPosition(market: VenueMarket): boolean {
  return (
    market.conditionId !== null &&
    market.tokenIds !== null &&
    !market.isNegRisk &&
    market.category !== 'unsupported' &&
    !(market.isClosed && (market.resolutionStatus === 'resolved' || market.resolutionStatus === 'settled'))
  );
}
