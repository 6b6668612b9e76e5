import type { CryptoCadence, MarketCategory, Sport, SportLine } from '@core/policy';
import type { PricePips, TokenUnits, UsdPips, VenueFeeSchedule } from '@core/pricing';
import type { Hex } from './venueOrder.ts';

/** How far the venue's oracle says resolution has come. Settlement itself trusts only the payout vector on chain. */
export type ResolutionStatus = 'none' | 'requested' | 'proposed' | 'disputed' | 'resolved' | 'settled';

/** The state of a game as the catalogue's event carries it; every field may be missing upstream. */
export interface GameState {
  readonly isLive: boolean;
  readonly isEnded: boolean;
  readonly score: string | null;
  readonly elapsed: string | null;
  readonly period: string | null;
  readonly gameStatus: string | null;
}

/**
 * One catalogue record, read into the service's own types. Token ids are decimal strings, instants are epoch
 * milliseconds.
 */
export interface VenueMarket {
  /** The venue's slug, unique; the service's ticker. */
  readonly ticker: string;
  /** The venue's own record id. */
  readonly recordId: string;
  readonly title: string;
  readonly yesSubTitle: string | null;
  /** `venue_market_id`; null when the record lacks a well-formed one. */
  readonly conditionId: Hex | null;
  readonly questionId: Hex | null;
  readonly event: { readonly slug: string; readonly title: string } | null;
  readonly series: { readonly slug: string; readonly title: string } | null;
  readonly category: MarketCategory;
  /** `BTC`, `ETH`, …: the underlying of a crypto market, null otherwise. */
  readonly cryptoAsset: string | null;
  /** How often a crypto market's series resolves, null outside crypto. */
  readonly cryptoCadence: CryptoCadence | null;
  /** The sport of a sport market (`other` when unknown), null otherwise. */
  readonly sport: Sport | null;
  /** What a sport market bets on, null otherwise. */
  readonly sportLine: SportLine | null;
  /** The venue's own name of the line, null when the record has none. */
  readonly sportsMarketType: string | null;
  /** Outcome names in token order, index 0 is YES whatever the text says. */
  readonly outcomes: readonly [string, string];
  /** Index 0 of the record is YES, 1 is NO; null when the record carries no usable pair. */
  readonly tokenIds: { readonly yes: string; readonly no: string } | null;
  /** End of the market: endDate; sport: game start + typical length when that is later. */
  readonly closeTimeMs: number | null;
  /** Start of the span the market is about (crypto up/down), where the record says it. */
  readonly spanStartTimeMs: number | null;
  readonly gameStartTimeMs: number | null;
  /** When the venue stopped the market, null while it runs. */
  readonly closedTimeMs: number | null;
  /** Typical length of a game of this sport, null outside sport. */
  readonly typicalLengthMs: number | null;
  readonly game: GameState | null;
  /** Null when fees are enabled but no readable schedule is given: nothing may be priced on it (fail closed). */
  readonly venueFeeSchedule: VenueFeeSchedule | null;
  readonly isNegRisk: boolean;
  readonly tickPricePips: PricePips;
  readonly minOrderTokenUnits: TokenUnits;
  readonly isActive: boolean;
  readonly isClosed: boolean;
  readonly isArchived: boolean;
  readonly isAcceptingOrders: boolean;
  readonly hasOrderBook: boolean;
  readonly resolutionStatus: ResolutionStatus;
  /** Traded value of the last 24 hours, rounded down; null when the record does not say. */
  readonly volume24hUsdPips: UsdPips | null;
  readonly openInterestUsdPips: UsdPips | null;
  readonly liquidityUsdPips: UsdPips | null;
  readonly bestBidPricePips: PricePips | null;
  readonly bestAskPricePips: PricePips | null;
  readonly lastTradePricePips: PricePips | null;
  /** The venue's prices of YES and NO, for display only. */
  readonly outcomePricePips: readonly [PricePips, PricePips] | null;
}
