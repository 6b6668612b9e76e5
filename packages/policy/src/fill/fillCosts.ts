import type { MarketCategory } from '@core/market';
import { type PricePips, raw, type TokenUnits, type UsdcUnits, valueOf } from '@core/pricing';
import type { EndedGrant } from './grantFills.ts';

/** All fills of one grant beside the mark that was attested for it. */
export interface FilledGrant extends Pick<EndedGrant, 'kind'> {
  readonly category: MarketCategory;
  readonly markPricePips: PricePips;
  /** USDC that moved, the fee part included. */
  readonly usdcUnits: UsdcUnits;
  readonly tokenUnits: TokenUnits;
}

/** Measured cost of fills of one kind and size in one category. */
export interface FillCost extends Pick<FilledGrant, 'category' | 'kind'> {
  /** Value at the mark in USD that every fill of the class exceeds: the largest of the class below; 0 without one. */
  readonly minUsd: number;
  /** Largest value at the mark in USD that the class has; null for the class of all larger ones. */
  readonly maxUsd: number | null;
  readonly fillCount: number;
  /** Paid above the mark, or received below it, as a share of the value at the mark, rounded up; below 0 for a gain. */
  readonly costBps: number;
}

/** Largest values of the classes of size, in USD. */
const classes = [500, 5_000] as const;
/** Fills from which a cost is a measurement. */
const minFillCount = 3;

/**
 * Measure the cost of fills against the mark of their grants, weighted by value, by category, kind and size. A class
 * with fewer than three fills is absent.
 */
export function measureFillCosts(grants: readonly FilledGrant[]): readonly FillCost[] {
  const groups = Map.groupBy(grants, (grant) => `${grant.category} ${grant.kind} ${classOf(grant)}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < minFillCount) return [];
    const value = group.reduce((sum, grant) => sum + valueOfGrant(grant), 0n);
    const cost = group.reduce((sum, grant) => sum + costOf(grant), 0n);
    const { category, kind } = first;
    const costBps = Number(ceilingOf(cost * 10_000n, value));
    const maxUsd = classOf(first);
    const minUsd = classes.findLast((usd) => maxUsd === null || usd < maxUsd) ?? 0;
    return [{ category, kind, minUsd, maxUsd, fillCount: group.length, costBps }];
  });
}

function classOf(grant: FilledGrant): number | null {
  const units = valueOfGrant(grant);
  return classes.find((maxUsd) => units <= BigInt(maxUsd) * 1_000_000n) ?? null;
}

const valueOfGrant = ({ tokenUnits, markPricePips }: FilledGrant): bigint =>
  raw(valueOf(tokenUnits, markPricePips, 'up'));

function costOf(grant: FilledGrant): bigint {
  const paid = raw(grant.usdcUnits) - valueOfGrant(grant);
  return grant.kind === 'opening' ? paid : -paid;
}

/** Division of any sign, rounded up. The divisor is above 0. */
const ceilingOf = (dividend: bigint, divisor: bigint): bigint =>
  dividend > 0n ? (dividend + divisor - 1n) / divisor : dividend / divisor;
