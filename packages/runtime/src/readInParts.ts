import { isRangeRefusal } from './nodeAnswers.ts';

/** Blocks from the first to the last, both included. */
export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Read something of a range of blocks, in halves where a node refuses the range: providers limit blocks and results
 * each in its own way and words. A refusal that has nothing to do with the range costs as many requests more as the
 * range has binary digits.
 *
 * @returns The items of all parts, in the order of their blocks.
 * @throws What `read` throws for a single block, or for another reason than its range.
 */
export async function readInParts<Item>(
  range: BlockRange,
  read: (part: BlockRange) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const { from, to } = range;
  try {
    return await read(range);
  } catch (error) {
    if (from >= to || !isRangeRefusal(error)) throw error;
  }
  const middle = (from + to) / 2n;
  const first = await readInParts({ from, to: middle }, read);
  return [...first, ...(await readInParts({ from: middle + 1n, to }, read))];
}
