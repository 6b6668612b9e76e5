import {
  emptyStatistics,
  type MarketOverlay,
  type ObservationConfig,
  type SideSnapshot,
  sideStatisticsOf,
  type TokenStatistics,
  type VenueMarket,
} from '@core/market';
import type { Side } from '@core/position';
import { type RateBps, type TokenUnits, tokenUnits } from '@core/pricing';
import { bookAgeMsOf, type SeenPrice, type TokenBook } from '../book/tokenBook.ts';

/** State of one watched token beside its book. */
export interface WatchedToken {
  readonly tokenId: string;
  readonly side: Side;
  readonly market: WatchedMarket;
  statistics: TokenStatistics;
  /** Mid of the last REST read that had one. */
  secondSource: SeenPrice | null;
  topHolderShareBps: RateBps | null;
  openLeveragedTokenUnits: TokenUnits;
}

export interface WatchedMarket {
  record: VenueMarket;
  overlay: MarketOverlay;
  /** YES then NO; empty for a market whose record names no tokens. */
  readonly tokens: readonly WatchedToken[];
}

/** A market nothing was seen of yet. */
export function watchedMarketOf(record: VenueMarket, overlay: MarketOverlay): WatchedMarket {
  const tokens: WatchedToken[] = [];
  const market: WatchedMarket = { record, overlay, tokens };
  for (const side of ['yes', 'no'] as const) {
    const tokenId = record.tokenIds?.[side];
    if (tokenId !== undefined) {
      tokens.push({
        tokenId,
        side,
        market,
        statistics: emptyStatistics,
        secondSource: null,
        topHolderShareBps: null,
        openLeveragedTokenUnits: tokenUnits(0n),
      });
    }
  }
  return market;
}

/** Return the names of a market beside its ticker: `mkt_…` id and condition id. */
export const aliasesOf = ({ record, overlay }: Pick<WatchedMarket, 'record' | 'overlay'>): readonly string[] => [
  overlay.marketId,
  ...(record.conditionId === null ? [] : [record.conditionId]),
];

export interface ObservedToken {
  /** Null for a market whose record names no tokens. */
  readonly token: WatchedToken | null;
  readonly book: TokenBook | null;
  readonly nowMs: number;
}

/** One side as decisions read it. Ages are counted to the one instant and never negative. */
export function sideSnapshotOf({ token, book, nowMs }: ObservedToken, config: ObservationConfig): SideSnapshot {
  const aged = (seen: SeenPrice | null | undefined) =>
    seen ? { pricePips: seen.pricePips, ageMs: Math.max(0, nowMs - seen.atMs) } : null;
  const lastMid = aged(book?.lastMid);
  return {
    book,
    bookAgeMs: book === null ? null : bookAgeMsOf(book, nowMs),
    priceAgeMs: lastMid?.ageMs ?? null,
    lastMidPricePips: lastMid?.pricePips ?? null,
    lastTrade: aged(book?.trades[0]),
    ...sideStatisticsOf(token?.statistics ?? emptyStatistics, { nowMs, book }, config),
    openLeveragedTokenUnits: token?.openLeveragedTokenUnits ?? tokenUnits(0n),
    secondSource: aged(token?.secondSource),
    topHolderShareBps: token?.topHolderShareBps ?? null,
  };
}
