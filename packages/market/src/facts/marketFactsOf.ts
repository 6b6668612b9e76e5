import { raw } from '@core/pricing';
import type { MarketStatus } from '../record/market.ts';
import { marketProtocols } from '../record/protocol.ts';
import type { ResolutionStatus, VenueMarket } from '../record/venueMarket.ts';
import type { CryptoFacts, MarketFacts, SportFacts } from './marketFacts.ts';

/**
 * Facts of a market from outside the venue's catalogue: the service's own id and status, the chain, the operator.
 * `observedStatusOf` gives the status the catalogue suggests.
 */
export interface MarketOverlay extends Pick<MarketFacts, 'marketId' | 'status' | 'disabled' | 'riskLevel'> {
  /** True when payouts are reported on chain. */
  readonly hasPayouts: boolean;
  /** True while the divergence breaker of this market is held open. */
  readonly isBreakerTripped: boolean;
}

/** Return the overlay of a market known from the catalogue alone. */
export function plainOverlayOf(marketId: string, status: MarketStatus): MarketOverlay {
  return { marketId, status, disabled: null, riskLevel: 'low', hasPayouts: false, isBreakerTripped: false };
}

/**
 * Return the status the catalogue suggests. A market is determined once its outcome is known, so that its mark is the
 * outcome. Only payouts on chain make a market final, so `finalized` never comes from here.
 */
export function observedStatusOf(market: VenueMarket): MarketStatus {
  switch (market.resolutionStatus) {
    case 'disputed':
      return 'disputed';
    case 'resolved':
    case 'settled':
      return determinedPricesOf(market) === null ? 'closed' : 'determined';
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
        ...(market.cryptoSettlement ? { settlement: market.cryptoSettlement } : {}),
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

/**
 * Return the payout per token that the venue announces: 1 and 0, or .5 each for a void. Null until the venue calls the
 * market resolved, and while its prices are no such pair.
 */
function determinedPricesOf({ resolutionStatus, outcomePricePips }: VenueMarket): MarketFacts['determinedPrices'] {
  if (outcomePricePips === null || (resolutionStatus !== 'resolved' && resolutionStatus !== 'settled')) return null;
  const [yes, no] = outcomePricePips;
  const isPayout = [0n, 5_000n, 10_000n].includes(raw(yes)) && raw(yes) + raw(no) === 10_000n;
  return isPayout ? { yes, no } : null;
}

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
    ledger: marketProtocols[market.version].ledger,
    isNegRisk: market.isNegRisk,
    isVenueClosed: market.isClosed,
    isVenueActive: market.isActive && !market.isArchived,
    isAcceptingOrders: market.isAcceptingOrders && market.hasOrderBook,
    isSettlementDetected: overlay.hasPayouts || settlingStatuses.has(market.resolutionStatus),
    determinedPrices: determinedPricesOf(market),
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
