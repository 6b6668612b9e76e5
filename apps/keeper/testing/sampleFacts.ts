import type { MarketFacts } from '@core/policy';
import { hashOf } from '@core/position/testing';
import { pricePips } from '@core/pricing';

/** A market that the venue lists and trades, of which nothing else is known than what is given. */
export function sampleFacts(given: Pick<MarketFacts, 'category' | 'subject'> & Partial<MarketFacts>): MarketFacts {
  return {
    marketId: 'mkt_1',
    ticker: 'market-1',
    status: 'active',
    conditionId: hashOf(1),
    yesTokenId: '11',
    noTokenId: '12',
    isNegRisk: false,
    isVenueClosed: false,
    isVenueActive: true,
    isAcceptingOrders: true,
    isSettlementDetected: false,
    disabled: null,
    riskLevel: 'low',
    closeAtMs: null,
    volume24hUsdPips: null,
    openInterestUsdPips: null,
    venueFee: { ratePpm: 70_000n, exponent: 1n },
    tickPricePips: pricePips(100n),
    ...given,
  };
}
