/** One of `shareCount` equal parts of the markets. Keepers divide the markets among themselves by shares. */
export interface MarketShare {
  /** From 0 to `shareCount` − 1. */
  readonly share: number;
  readonly shareCount: number;
}

/** Share count until an operator sets another: several keepers hold about the same, and one statement locks all. */
export const defaultMarketShareCount = 64;

/** Maximum share count: each heartbeat names every share of its keeper. */
const maxMarketShareCount = 1_024;

/** Share counts that can be set: powers of two, so that two shares of any counts are nested or apart. */
export const marketShareCounts: readonly number[] = Array.from(
  { length: Math.log2(maxMarketShareCount) + 1 },
  (_, power) => 2 ** power,
);

/** Return the shares of a count, in order. */
export function marketSharesOf(shareCount: number): readonly MarketShare[] {
  return Array.from({ length: shareCount }, (_, share) => ({ share, shareCount }));
}

/**
 * Return a hash of a market's ID alone, below 2³² (FNV-1a): its share of any count is the remainder, for every keeper
 * and API process of any version.
 */
export function marketHashOf(marketId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < marketId.length; index += 1) {
    hash = Math.imul(hash ^ marketId.charCodeAt(index), 0x01000193) >>> 0;
  }
  // The low bits of the last characters alone would decide without what the high bits gathered.
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Return the share of that count to which a market belongs. */
export function marketShareOf(marketId: string, shareCount: number): MarketShare {
  return { share: marketHashOf(marketId) % shareCount, shareCount };
}

/** Return true when two shares have markets in common: they are the same, or one is part of the other. */
export function isOverlapping(left: MarketShare, right: MarketShare): boolean {
  const shareCount = Math.min(left.shareCount, right.shareCount);
  return left.share % shareCount === right.share % shareCount;
}

/** Return the name of a share in locks, reports and logs, such as `3/64`. */
export const marketShareName = ({ share, shareCount }: MarketShare): string => `${share}/${shareCount}`;
