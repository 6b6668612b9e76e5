import { isOverlapping, type MarketShare, marketSharesOf } from '@core/runtime';

/** Share counts of one keeper and of the others. */
export interface ShareCounts {
  readonly own: number;
  /** Of every other keeper that is alive; a share of another count is the part of a share that it is. */
  readonly others: readonly number[];
}

/**
 * Return the number of shares that a keeper gives away now: half of its surplus over the keeper with the fewest,
 * rounded down, so that no two end more than one apart and no share returns. Only a keeper with the maximum gives, so
 * that several do not fill the same one at once.
 */
export function sharesToGive({ own, others }: ShareCounts): number {
  const fewest = Math.min(...others, own);
  const isLargest = others.every((other) => other <= own);
  return isLargest ? Math.floor((own - fewest) / 2) : 0;
}

/** Return the shares of a count that a keeper lacks: those that overlap none of its own, of whatever count. */
export function sharesLacking(shareCount: number, own: readonly MarketShare[]): readonly MarketShare[] {
  return marketSharesOf(shareCount).filter((share) => !own.some((other) => isOverlapping(other, share)));
}
