import type { MarketOverlay, VenueMarket } from '@core/market';
import { aliasesOf, type WatchedMarket, type WatchedToken, watchedMarketOf } from './watchedMarket.ts';

const haveSameTokens = (left: VenueMarket, right: VenueMarket): boolean =>
  left.tokenIds?.yes === right.tokenIds?.yes && left.tokenIds?.no === right.tokenIds?.no;

/** The markets of a watch, found by ticker, `mkt_…` id or condition id, and their tokens. */
export class WatchedMarkets {
  readonly #markets = new Map<string, WatchedMarket>();
  readonly #tokens = new Map<string, WatchedToken>();
  /** Ticker, `mkt_…` id and condition id → ticker. */
  readonly #aliases = new Map<string, string>();

  all(): readonly WatchedMarket[] {
    return [...this.#markets.values()];
  }

  tokenIds(): readonly string[] {
    return [...this.#tokens.keys()];
  }

  market(key: string): WatchedMarket | null {
    return this.#markets.get(this.#aliases.get(key) ?? key) ?? null;
  }

  token(tokenId: string): WatchedToken | undefined {
    return this.#tokens.get(tokenId);
  }

  /** Apply a newer record and overlay to a watched market; false when none is watched with these tokens. */
  update(record: VenueMarket, overlay: MarketOverlay): boolean {
    const market = this.#markets.get(record.ticker);
    if (market === undefined || !haveSameTokens(market.record, record)) {
      return false;
    }
    market.record = record;
    market.overlay = overlay;
    this.#nameMarket(market);
    return true;
  }

  add(record: VenueMarket, overlay: MarketOverlay): WatchedMarket {
    const market = watchedMarketOf(record, overlay);
    this.#markets.set(record.ticker, market);
    for (const token of market.tokens) {
      this.#tokens.set(token.tokenId, token);
    }
    this.#nameMarket(market);
    return market;
  }

  remove(market: WatchedMarket): void {
    for (const alias of aliasesOf(market)) {
      this.#aliases.delete(alias);
    }
    this.#markets.delete(market.record.ticker);
    for (const { tokenId } of market.tokens) {
      this.#tokens.delete(tokenId);
    }
  }

  #nameMarket(market: WatchedMarket): void {
    for (const alias of aliasesOf(market)) {
      this.#aliases.set(alias, market.record.ticker);
    }
  }
}
