import type { MarketFacts, PartnerTerms, PolicyConfig, PoolSnapshot } from '@core/policy';
import { applyRate, max, multiplyDivide, type UsdcUnits } from '@core/pricing';
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
    clusterBorrowUsdcUnits: clusterCapOf(quote),
    totalBorrowUsdcUnits: limits.totalBorrowUsdcUnits,
    poolFreeLiquidityUsdcUnits: quote.pool.freeLiquidityUsdcUnits,
  };
}

/** One crypto hour or one game is one bet: its multiple of max(insurance reserve, share of the pool's assets). */
function clusterCapOf({ facts, pool, policy }: Parameters<typeof reserveLimitsOf>[0]): UsdcUnits {
  const { cryptoClusterMultiple, sportClusterMultiple, clusterAssetShareBps } = policy.limits;
  const multiple = facts.category === 'sport' ? sportClusterMultiple : cryptoClusterMultiple;
  const base = max(pool.reserveUsdcUnits, applyRate(pool.assetsUsdcUnits, clusterAssetShareBps, 'down'));
  return multiplyDivide(base, multiple, 1n, 'down');
}
