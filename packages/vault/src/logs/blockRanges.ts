/** Blocks from the first to the last, both included. */
export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

export const blockCountOf = ({ from, to }: BlockRange): bigint => to - from + 1n;

/** Return the newest blocks of a range, at most `blocks` of them, and the older ones; null where there are none. */
export function newestPartOf(
  { from, to }: BlockRange,
  blocks: bigint,
): { readonly part: BlockRange; readonly rest: BlockRange | null } {
  const first = to - blocks + 1n;
  if (first <= from) return { part: { from, to }, rest: null };
  return { part: { from: first, to }, rest: { from, to: first - 1n } };
}

/** Return the blocks of all ranges as few ranges that share no block, the oldest first. */
export function joinRanges(ranges: readonly BlockRange[]): readonly BlockRange[] {
  const joined: BlockRange[] = [];
  for (const range of ranges.toSorted((left, right) => (left.from < right.from ? -1 : 1))) {
    const last = joined.at(-1);
    if (last === undefined || range.from > last.to + 1n) joined.push(range);
    else if (range.to > last.to) joined[joined.length - 1] = { from: last.from, to: range.to };
  }
  return joined;
}
