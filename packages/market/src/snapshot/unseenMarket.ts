import { pricePips, tokenUnits } from '@core/pricing';
import type { MarketFacts } from '../facts/marketFacts.ts';
import type { MarketSnapshot, SideSnapshot } from './marketSnapshot.ts';

/** One side of a market whose book is not watched. */
const unseenSide: SideSnapshot = {
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

/** A market of which only the facts are known: no book, no reference feed. */
export function unseenMarketOf(facts: MarketFacts, nowMs: number): MarketSnapshot {
  return { nowMs, facts, yes: unseenSide, no: unseenSide, reference: null, isBreakerTripped: false };
}

/** A market of which nothing is known: what is checked before the market still refuses, with its own code. */
export function unknownMarketOf(ticker: string, nowMs: number): MarketSnapshot {
  const facts: MarketFacts = {
    marketId: '',
    ticker,
    // Every fact at the value that refuses, so that no gate can take an unknown market for a good one.
    category: 'unsupported',
    status: 'closed',
    conditionId: null,
    yesTokenId: null,
    noTokenId: null,
    ledger: 'conditional_tokens',
    isNegRisk: false,
    isVenueClosed: true,
    isVenueActive: false,
    isAcceptingOrders: false,
    isSettlementDetected: false,
    determinedPrices: null,
    disabled: null,
    riskLevel: 'high',
    subject: null,
    closeAtMs: null,
    volume24hUsdPips: null,
    openInterestUsdPips: null,
    venueFee: null,
    tickPricePips: pricePips(100n),
  };
  return unseenMarketOf(facts, nowMs);
}
