import { exchangeOf, marketProtocols, observedStatusOf, plainOverlayOf, type VenueMarket } from '@core/market';
import { onlyFaults, type Polling, pollRepeatedly } from '@core/runtime';
import { conditionsPerRequest, isVenueFault, type MarketWatch, readNamedMarkets, type VenueClient } from '@core/venue';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

const pageLimit = 500;
/** Markets read by condition in one round: a few requests. */
const maxMissing = 4 * conditionsPerRequest;
/** Minimum interval between two reads of one condition. */
const rereadIntervalMs = 5_000;
/** More than positions are in at any time. */
const maxRereads = 10_000;
/** Rounds that may fail before the market data counts as stale. */
const toleratedRounds = 12;

export interface CatalogueFollowerOptions {
  readonly client: Pick<VenueClient, 'cataloguePage'>;
  readonly watch: Pick<MarketWatch, 'watch' | 'unwatch'>;
  /** Called for a market that is no longer watched. */
  readonly onUnwatched: (market: VenueMarket) => void;
  /** True for a vault with outcomes of the PositionManager. */
  readonly hasManaged: boolean;
  readonly logger: Logger;
  readonly intervalMs: number;
}

/**
 * Watches every market that can hold a position. Trading markets are read page by page, in repeated passes. Markets
 * that stopped trading are read by condition for as long as a position in them may need an order. The signer reads the
 * venue itself: it uses neither the API's nor the keeper's view of a market.
 */
export class CatalogueFollower {
  readonly #options: CatalogueFollowerOptions;
  /** By ticker. */
  readonly #watched = new Map<string, VenueMarket>();
  readonly #readAtMsByCondition = new LRUCache<string, number>({ max: maxRereads });
  #cursor: string | null = null;
  /** Tickers of the current pass. */
  #passTickers = new Set<string>();
  #polling: Polling | null = null;
  #isClosed = false;
  #hasRead = false;
  #readAtMs = performance.now();

  constructor(options: CatalogueFollowerOptions) {
    this.#options = options;
  }

  /** True after the first complete pass, for as long as pages are read. */
  get isCurrent(): boolean {
    const ageMs = performance.now() - this.#readAtMs;
    return this.#hasRead && ageMs < toleratedRounds * this.#options.intervalMs;
  }

  /** Read one complete pass, and continue in the background. */
  async start(): Promise<void> {
    const { logger, intervalMs } = this.#options;
    const onFailure = onlyFaults((err) => {
      if (!this.#isClosed) logger.warn({ err }, 'catalogue read failed');
    });
    await this.#readPass().catch(onFailure);
    if (this.#isClosed) return;
    const task = (): Promise<void> => (this.#hasRead ? this.#readPage() : this.#readPass());
    this.#polling = pollRepeatedly({ task, intervalMs, firstDelayMs: intervalMs, onFailure });
  }

  close(): void {
    this.#isClosed = true;
    void this.#polling?.stop();
  }

  /**
   * Read the market of a position that is not watched: it may have stopped trading. Every request in it calls this;
   * repeated calls within five seconds do nothing.
   */
  async readMarket(conditionId: string): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - (this.#readAtMsByCondition.get(conditionId) ?? Number.NEGATIVE_INFINITY) < rereadIntervalMs) return;
    this.#readAtMsByCondition.set(conditionId, nowMs);
    try {
      await this.#readNamed([conditionId]);
    } catch (error) {
      if (!isVenueFault(error)) throw error;
    }
  }

  async #readPass(): Promise<void> {
    do await this.#readPage();
    while (!this.#hasRead && !this.#isClosed);
  }

  /** Read one page. A page that cannot be read ends the pass, because its cursor may be the cause. */
  async #readPage(): Promise<void> {
    const cursor = this.#cursor;
    const passTickers = this.#passTickers;
    this.#cursor = null;
    this.#passTickers = new Set();
    const at = cursor === null ? {} : { cursor };
    const page = await this.#options.client.cataloguePage({ closed: false, limit: pageLimit, ...at });
    for (const market of page.markets) {
      passTickers.add(market.ticker);
      this.#follow(market);
    }
    this.#readAtMs = performance.now();
    if (page.nextCursor !== null) {
      this.#cursor = page.nextCursor;
      this.#passTickers = passTickers;
      return;
    }
    this.#hasRead = true;
    await this.#readMissing(passTickers);
  }

  /** Read the watched markets that a complete pass did not contain: they stopped trading. */
  async #readMissing(passed: ReadonlySet<string>): Promise<void> {
    const missing = [...this.#watched.values()].filter(({ ticker }) => !passed.has(ticker)).slice(0, maxMissing);
    const tickers = await this.#readNamed(missing.flatMap(({ conditionId }) => conditionId ?? []));
    for (const { ticker } of missing) {
      const market = this.#watched.get(ticker);
      if (market === undefined) continue;
      // Moved to the end, so that each of many markets is read in rotation.
      this.#watched.delete(ticker);
      this.#watched.set(ticker, market);
      if (!tickers.has(ticker)) this.#unwatch(market);
    }
  }

  /** Read markets by condition, finished ones too. Return the tickers of those that the venue has. */
  async #readNamed(conditionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { markets, fault } = await readNamedMarkets(this.#options.client, conditionIds);
    if (fault !== null) throw fault;
    for (const market of markets) this.#follow(market);
    return new Set(markets.map(({ ticker }) => ticker));
  }

  /** Watch or unwatch a market. A record that fails stops no other record of its page. */
  #follow(market: VenueMarket): void {
    const { watch, hasManaged, logger } = this.#options;
    try {
      if (canHoldPosition(market, hasManaged)) {
        // The signer has no ids of its own: it identifies a market by its condition id, which is on chain.
        watch.watch(market, plainOverlayOf(market.ticker, observedStatusOf(market)));
        this.#watched.set(market.ticker, market);
      } else if (this.#watched.has(market.ticker)) {
        this.#unwatch(market);
      }
    } catch (err) {
      logger.error({ err, ticker: market.ticker }, 'market watch failed');
    }
  }

  #unwatch(market: VenueMarket): void {
    this.#watched.delete(market.ticker);
    this.#options.watch.unwatch(market.ticker);
    this.#options.onUnwatched(market);
  }
}

function canHoldPosition(market: VenueMarket, hasManaged: boolean): boolean {
  const isManaged = marketProtocols[market.version].ledger === 'position_manager';
  return (
    market.conditionId !== null &&
    market.tokenIds !== null &&
    (isManaged ? hasManaged && !market.isNegRisk : exchangeOf(market) === 'ctf_exchange') &&
    market.category !== 'unsupported' &&
    !(market.isClosed && (market.resolutionStatus === 'resolved' || market.resolutionStatus === 'settled'))
  );
}
