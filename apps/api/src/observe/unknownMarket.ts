import type { MarketSnapshot, SideSnapshot } from '@core/policy';
import { pricePips, tokenUnits } from '@core/pricing';

const unseen: SideSnapshot = {
  book: null,
  bookAgeMs: null,
  priceAgeMs: null,
  lastMidPricePips: null,
  lastTrade: null,
  twap: { pricePips: null, sampleCount: 0, lastSampleAgeMs: null },
  realisedVarianceE12: null,
  minimumBids: null,
  openLeveragedTokenUnits: tokenUnits(0n),
  secondSource: null,
  topHolderShareBps: null,
};

/** A market of which nothing is known: what is checked before the market still refuses, with its own code. */
export function unknownMarket(ticker: string, nowMs: number): MarketSnapshot {
  return {
    nowMs,
    facts: {
      marketId: '',
      ticker,
      category: 'unsupported',
      status: 'closed',
      conditionId: null,
      yesTokenId: null,
      noTokenId: null,
      isNegRisk: false,
      isVenueClosed: true,
      isVenueActive: false,
      isAcceptingOrders: false,
      isSettlementDetected: false,
      disabled: null,
      riskLevel: 'high',
      subject: null,
      closeAtMs: null,
      volume24hUsdPips: null,
      openInterestUsdPips: null,
      venueFee: null,
      tickPricePips: pricePips(100n),
    },
    yes: unseen,
    no: unseen,
    reference: null,
    isBreakerTripped: false,
  };
}
