import { type BlockRange, blockCountOf } from './blockRanges.ts';
import { readLogRanges } from './readLogRanges.ts';

/**
 * Read something of a range of blocks, in parts where a node refuses the range: providers limit blocks and results
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
  const options = { concurrency: 1, firstBlocks: blockCountOf(range), maxFailures: 1 };
  const { items, unread, failure } = await readLogRanges([range], read, options);
  if (unread.length > 0) throw failure;
  return items;
}
