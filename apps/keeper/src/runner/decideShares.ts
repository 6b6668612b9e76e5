/** Shares that one keeper holds or will, as it says itself. */
export interface ShareCounts {
  readonly own: number;
  /** Of every other keeper that is alive. */
  readonly others: readonly number[];
}

/**
 * How many shares a keeper gives away now: half of what it has more than the keeper with the fewest, rounded down, so
 * that no two end more than one apart and none gives what it would be given back. Only a keeper with the most gives,
 * so that several do not fill the same one at once.
 */
export function sharesToGive({ own, others }: ShareCounts): number {
  const fewest = Math.min(...others, own);
  const isLargest = others.every((other) => other <= own);
  return isLargest ? Math.floor((own - fewest) / 2) : 0;
}
