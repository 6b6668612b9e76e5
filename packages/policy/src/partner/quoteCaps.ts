import type { MarketFacts } from '@core/market';
import type { Side } from '@core/position';
import { min } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { clusterBorrowCapOf, freeOf, headroomOf, loansOf } from './borrowLimits.ts';
import type { PartnerTerms } from './partnerTerms.ts';
import type { ChainUsage, PoolSnapshot } from './usageSnapshot.ts';

/**
 * The caps of `notionalLimitsOf`, `borrowLimitsOf` and `outcomeHeadroomOf` on the counters of one quote, by scope. The
 * database compares them with counters it has locked. What the pool has lent is subtracted here, so that the counters
 * add what is promised only. Null bounds nothing.
 */
export function quoteCapsOf(
  { facts, side }: { readonly facts: MarketFacts; readonly side: Side },
  chain: ChainUsage & { readonly pool: PoolSnapshot },
  { terms: { limits }, config }: { readonly terms: Pick<PartnerTerms, 'limits'>; readonly config: PolicyConfig },
) {
  const { pool, [side]: loan } = chain;
  const total = { capUsdcUnits: limits.totalBorrowUsdcUnits, currentUsdcUnits: loansOf(pool) };
  return {
    user: { notionalUsdPips: limits.userNotionalUsdPips, borrowUsdcUnits: limits.userBorrowUsdcUnits },
    cluster: { borrowUsdcUnits: clusterBorrowCapOf(facts, pool, config) },
    side: {
      notionalUsdPips: limits.sideNotionalUsdPips,
      borrowUsdcUnits: limits.sideBorrowUsdcUnits,
      promisedUsdcUnits: loan && headroomOf({ capUsdcUnits: loan.capUsdcUnits, currentUsdcUnits: loan.loanUsdcUnits }),
    },
    market: { notionalUsdPips: limits.marketNotionalUsdPips, borrowUsdcUnits: limits.marketBorrowUsdcUnits },
    partner: { notionalUsdPips: limits.partnerNotionalUsdPips },
    global: {
      notionalUsdPips: limits.globalNotionalUsdPips,
      borrowUsdcUnits: limits.totalBorrowUsdcUnits,
      promisedUsdcUnits: min(headroomOf(total), freeOf(pool)),
    },
  };
}
