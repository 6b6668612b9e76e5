import type { MarketFacts } from '@core/market';
import type { Side } from '@core/position';
import { add, applyRate, max, min, multiplyDivide, subtract, type UsdcUnits, usdcUnits } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import type { PartnerTerms } from './partnerTerms.ts';
import type { PoolSnapshot, UsageSnapshot } from './usageSnapshot.ts';

/** A cap on borrowed capital and what counts against it now. */
export interface BorrowLimit {
  readonly scope: 'user' | 'market' | 'side' | 'total';
  readonly capUsdcUnits: UsdcUnits;
  readonly currentUsdcUnits: UsdcUnits;
}

const noUsdcUnits = usdcUnits(0n);

/** Return the remainder of a cap, never below zero. */
export function headroomOf(limit: Pick<BorrowLimit, 'capUsdcUnits' | 'currentUsdcUnits'>): UsdcUnits {
  return max(noUsdcUnits, subtract(limit.capUsdcUnits, limit.currentUsdcUnits));
}

/** One crypto hour or one game is one bet: its multiple of max(insurance reserve, share of the pool's assets). */
export function clusterBorrowCapOf(
  { category }: Pick<MarketFacts, 'category'>,
  pool: PoolSnapshot,
  { limits }: PolicyConfig,
): UsdcUnits {
  const multiple = category === 'sport' ? limits.sportClusterMultiple : limits.cryptoClusterMultiple;
  const assets = add(pool.idleUsdcUnits, pool.lentUsdcUnits);
  const base = max(pool.reserveUsdcUnits, applyRate(assets, limits.clusterAssetShareBps, 'down'));
  return multiplyDivide(base, multiple, 1n, 'down');
}

/**
 * Borrow caps in the order they are checked. The market's cap is the tighter of its own and its
 * cluster's; the total is the tighter of the configured one and what the pool can lend now, less
 * what is promised already. `quoteCapsOf` has the same caps for the counters. Null when the pool is unknown.
 */
export function borrowLimitsOf(
  usage: UsageSnapshot,
  { facts, side }: { readonly facts: MarketFacts; readonly side: Side },
  { terms, config }: { readonly terms: PartnerTerms; readonly config: PolicyConfig },
): readonly BorrowLimit[] | null {
  const { pool } = usage;
  if (pool === null) return null;
  const { limits } = terms;
  const market: BorrowLimit = {
    scope: 'market',
    capUsdcUnits: limits.marketBorrowUsdcUnits,
    currentUsdcUnits: usage.marketBorrowedUsdcUnits,
  };
  const cluster: BorrowLimit = {
    scope: 'market',
    capUsdcUnits: clusterBorrowCapOf(facts, pool, config),
    currentUsdcUnits: usage.clusterBorrowedUsdcUnits,
  };
  const loans = loansOf(pool);
  const total: BorrowLimit = {
    scope: 'total',
    capUsdcUnits: limits.totalBorrowUsdcUnits,
    currentUsdcUnits: add(max(loans, usage.lentBorrowUsdcUnits), usage.promisedBorrowUsdcUnits),
  };
  const lendable: BorrowLimit = {
    scope: 'total',
    capUsdcUnits: add(loans, freeOf(pool)),
    currentUsdcUnits: add(loans, usage.promisedBorrowUsdcUnits),
  };
  return [
    { scope: 'user', capUsdcUnits: limits.userBorrowUsdcUnits, currentUsdcUnits: usage.userBorrowedUsdcUnits },
    tighterOf(market, cluster),
    {
      scope: 'side',
      capUsdcUnits: limits.sideBorrowUsdcUnits,
      currentUsdcUnits: side === 'yes' ? usage.yesBorrowedUsdcUnits : usage.noBorrowedUsdcUnits,
    },
    tighterOf(total, lendable),
  ];
}

/** Principal of all loans of the pool. */
export function loansOf(pool: PoolSnapshot): UsdcUnits {
  return add(pool.lentUsdcUnits, pool.impairedUsdcUnits);
}

/**
 * Return what the pool can lend now. Free liquidity can be negative for a moment, when assets fall below the loans:
 * nothing new is lent then.
 */
export function freeOf(pool: PoolSnapshot): UsdcUnits {
  return max(noUsdcUnits, pool.freeLiquidityUsdcUnits);
}

function tighterOf(a: BorrowLimit, b: BorrowLimit): BorrowLimit {
  return min(headroomOf(a), headroomOf(b)) === headroomOf(a) ? a : b;
}

/** Return the remainder of the pool's own cap of this outcome; null without one. */
export function outcomeHeadroomOf(usage: UsageSnapshot, side: Side): UsdcUnits | null {
  return side === 'yes' ? usage.yesOutcomeHeadroomUsdcUnits : usage.noOutcomeHeadroomUsdcUnits;
}
