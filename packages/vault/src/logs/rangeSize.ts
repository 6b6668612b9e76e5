/** Number of blocks to ask a node for at once, as its answers have shown. */
export interface RangeSize {
  readonly blocks: bigint;
  /** Ranges of this size that the node has answered. */
  readonly answers: number;
  /** True once the node has refused a range for its size. */
  readonly isLimited: boolean;
}

/** Answers after which a limited node is asked for more: its limit may be one of results, which differs by block. */
const answersBeforeGrowth = 8;

export const firstRangeSize = (blocks: bigint): RangeSize => ({ blocks, answers: 0, isLimited: false });

/**
 * Return the size of the next range after the answer to one of `blocks` blocks. A refused size is halved, down to one
 * block. An answered one is doubled at once where the node has refused none, and after eight answers otherwise.
 */
export function sizeAfter(
  size: RangeSize,
  { blocks, isRefused }: { readonly blocks: bigint; readonly isRefused: boolean },
): RangeSize {
  if (isRefused) {
    const half = blocks > 1n ? blocks / 2n : 1n;
    return { blocks: half < size.blocks ? half : size.blocks, answers: 0, isLimited: true };
  }
  // The last part of a range says nothing about the size.
  if (blocks < size.blocks) return size;
  const answers = size.answers + 1;
  if (size.isLimited && answers < answersBeforeGrowth) return { ...size, answers };
  return { ...size, blocks: size.blocks * 2n, answers: 0 };
}
