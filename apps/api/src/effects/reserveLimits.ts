import {
  clusterBorrowCapOf,
  type MarketFacts,
  type PartnerTerms,
  type PolicyConfig,
  type PoolSnapshot,
} from '@core/policy';
import type { ReserveLimits } from '@core/store';

/** The caps a reservation is checked against once more, inside the one statement that stores it. */
export function reserveLimitsOf(quote: {
  readonly terms: PartnerTerms;
  readonly facts: MarketFacts;
  readonly pool: PoolSnapshot;
  readonly policy: PolicyConfig;
}): ReserveLimits {
  const { limits } = quote.terms;
  return {
    userNotionalUsdPips: limits.userNotionalUsdPips,
    marketNotionalUsdPips: limits.marketNotionalUsdPips,
    sideNotionalUsdPips: limits.sideNotionalUsdPips,
    globalNotionalUsdPips: limits.globalNotionalUsdPips,
    partnerNotionalUsdPips: limits.partnerNotionalUsdPips,
    userBorrowUsdcUnits: limits.userBorrowUsdcUnits,
    marketBorrowUsdcUnits: limits.marketBorrowUsdcUnits,
    sideBorrowUsdcUnits: limits.sideBorrowUsdcUnits,
    clusterBorrowUsdcUnits: clusterBorrowCapOf(quote.facts, quote.pool, quote.policy),
    totalBorrowUsdcUnits: limits.totalBorrowUsdcUnits,
    poolFreeLiquidityUsdcUnits: quote.pool.freeLiquidityUsdcUnits,
  };
}
