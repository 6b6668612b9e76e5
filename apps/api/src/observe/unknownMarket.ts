import type { MarketSnapshot } from '@core/policy';
import { pricePips } from '@core/pricing';
import { unseenSide } from './unseenSide.ts';

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
    yes: unseenSide,
    no: unseenSide,
    reference: null,
    isBreakerTripped: false,
  };
}
