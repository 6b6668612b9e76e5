import type { CryptoFacts, MarketFacts, MarketStatus, SportFacts } from '@core/policy';
import type { ResolutionStatus, VenueMarket } from '../port/venueMarket.ts';

/**
 * What is known of a market outside the venue's catalogue: the service's own id, what the chain and the operator say.
 */
export interface MarketOverlay {
  /** `mkt_…`. */
  readonly marketId: string;
  /** The service's status, kept by the store's transitions; `observedStatusOf` says what the catalogue suggests. */
  readonly status: MarketStatus;
  /** The operator switched the market off. */
  readonly disabled: { readonly reason: string | null } | null;
  readonly riskLevel: 'low' | 'high';
  /** Payouts are reported on chain. */
  readonly hasPayouts: boolean;
  /** The divergence breaker of this market is held open. */
  readonly isBreakerTripped: boolean;
}

/** A market of which nothing is known beside the catalogue. */
export function plainOverlayOf(marketId: string, status: MarketStatus): MarketOverlay {
  return { marketId, status, disabled: null, riskLevel: 'low', hasPayouts: false, isBreakerTripped: false };
}

/** Status the catalogue suggests. Only payouts on chain make a market final, so `finalized` never comes from here. */
export function observedStatusOf(market: VenueMarket): MarketStatus {
  switch (market.resolutionStatus) {
    case 'disputed':
      return 'disputed';
    case 'resolved':
    case 'settled':
      return 'determined';
    case 'none':
    case 'requested':
    case 'proposed':
      return market.isClosed ? 'closed' : 'active';
  }
}

const cryptoFactsOf = (market: VenueMarket, supportedAssets: ReadonlySet<string>): CryptoFacts | null =>
  market.cryptoAsset === null
    ? null
    : {
        kind: 'crypto',
        asset: market.cryptoAsset,
        cadence: market.cryptoCadence ?? 'daily',
        isAssetSupported: supportedAssets.has(market.cryptoAsset),
      };

const sportFactsOf = (market: VenueMarket): SportFacts | null => {
  // A game without a start is taken to fill the typical length before its end.
  const gameStartAtMs =
    market.gameStartTimeMs ?? (market.closeTimeMs === null ? null : market.closeTimeMs - (market.typicalLengthMs ?? 0));
  return market.sport === null || gameStartAtMs === null
    ? null
    : {
        kind: 'sport',
        sport: market.sport,
        sportName: market.sport,
        line: market.sportLine ?? 'prop',
        marketType: market.sportsMarketType ?? market.sportLine ?? 'prop',
        gameStartAtMs,
      };
};

/** From the first proposed answer on a trader may know the outcome; a mere request says nothing about it. */
const settlingStatuses: ReadonlySet<ResolutionStatus> = new Set(['proposed', 'disputed', 'resolved', 'settled']);

/** The facts a decision reads, from the catalogue record and what the service knows beside it. */
export function marketFactsOf(
  market: VenueMarket,
  overlay: MarketOverlay,
  supportedAssets: ReadonlySet<string>,
): MarketFacts {
  const subject = market.category === 'crypto' ? cryptoFactsOf(market, supportedAssets) : sportFactsOf(market);
  return {
    marketId: overlay.marketId,
    ticker: market.ticker,
    category: subject === null ? 'unsupported' : market.category,
    status: overlay.status,
    conditionId: market.conditionId,
    yesTokenId: market.tokenIds?.yes ?? null,
    noTokenId: market.tokenIds?.no ?? null,
    isNegRisk: market.isNegRisk,
    isVenueClosed: market.isClosed,
    isVenueActive: market.isActive && !market.isArchived,
    isAcceptingOrders: market.isAcceptingOrders && market.hasOrderBook,
    isSettlementDetected: overlay.hasPayouts || settlingStatuses.has(market.resolutionStatus),
    disabled: overlay.disabled,
    riskLevel: overlay.riskLevel,
    subject,
    closeAtMs: market.closeTimeMs,
    volume24hUsdPips: market.volume24hUsdPips,
    openInterestUsdPips: market.openInterestUsdPips,
    venueFee: market.venueFeeSchedule,
    tickPricePips: market.tickPricePips,
  };
}
