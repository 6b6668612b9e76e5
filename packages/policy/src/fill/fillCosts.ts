import type { MarketCategory } from '@core/market';
import { divide, type PricePips, raw, type TokenUnits, type UsdcUnits, valueOf } from '@core/pricing';
import type { EndedGrant } from './grantFills.ts';

/** All fills of one grant beside the price that they are compared with. */
export interface FilledGrant extends Pick<EndedGrant, 'kind'> {
  readonly category: MarketCategory;
  /** Entry price of the quote of an opening; mark of a close, the mid when it was attested. */
  readonly referencePricePips: PricePips;
  /** USDC that moved, the fee part included. */
  readonly usdcUnits: UsdcUnits;
  readonly tokenUnits: TokenUnits;
}

/** Measured cost of fills of one kind and size in one category. */
export interface FillCost extends Pick<FilledGrant, 'category' | 'kind'> {
  /** Value at the reference in USD that every fill of the class exceeds: the maximum of the class below, or 0. */
  readonly minUsd: number;
  /** Largest value at the reference in USD that the class has; null for the class of all larger ones. */
  readonly maxUsd: number | null;
  readonly fillCount: number;
  /** Paid above the value at the reference, or received below it, as a share of it, rounded up; below 0 for a gain. */
  readonly costBps: number;
}

/** Largest values of the classes of size, in USD. */
const classes = [500, 5_000] as const;
/** Fills from which a cost is a measurement. */
const minFillCount = 3;

/**
 * Measure the cost of fills against the reference of their grants, weighted by value, by category, kind and size. A
 * class with fewer than three fills is absent.
 */
export function measureFillCosts(grants: readonly FilledGrant[]): readonly FillCost[] {
  const groups = Map.groupBy(grants, (grant) => `${grant.category} ${grant.kind} ${classOf(grant)}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < minFillCount) return [];
    const value = group.reduce((sum, grant) => sum + valueOfGrant(grant), 0n);
    const cost = group.reduce((sum, grant) => sum + costOf(grant), 0n);
    const { category, kind } = first;
    const costBps = Number(divide(cost * 10_000n, value, 'up'));
    const maxUsd = classOf(first);
    const minUsd = classes.findLast((usd) => maxUsd === null || usd < maxUsd) ?? 0;
    return [{ category, kind, minUsd, maxUsd, fillCount: group.length, costBps }];
  });
}

function classOf(grant: FilledGrant): number | null {
  const units = valueOfGrant(grant);
  return classes.find((maxUsd) => units <= BigInt(maxUsd) * 1_000_000n) ?? null;
}

const valueOfGrant = ({ tokenUnits, referencePricePips }: FilledGrant): bigint =>
  raw(valueOf(tokenUnits, referencePricePips, 'up'));

function costOf(grant: FilledGrant): bigint {
  const paid = raw(grant.usdcUnits) - valueOfGrant(grant);
  return grant.kind === 'opening' ? paid : -paid;
}
