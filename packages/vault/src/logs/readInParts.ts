import { type BlockRange, blockCountOf } from './blockRanges.ts';
import type { RangeSize } from './rangeSize.ts';
import { readLogRanges } from './readLogRanges.ts';

/** Sizes of ranges at which clients found their node limited. */
const limitedSizes = new WeakMap<object, RangeSize>();

/**
 * Read something of a range of blocks, in parts where a node refuses the range: providers limit blocks and results
 * each in its own way and words. A refusal that has nothing to do with the range costs as many requests more as the
 * range has binary digits. The size that a node takes is kept for the next range that is read through the same client.
 *
 * @param client The client that `read` uses.
 * @returns The items of all parts, in the order of their blocks.
 * @throws What `read` throws for a single block, or for another reason than its range.
 */
export async function readInParts<Item>(
  client: object,
  range: BlockRange,
  read: (part: BlockRange) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  let size = limitedSizes.get(client);
  const { items, unread, failure } = await readLogRanges([range], read, {
    concurrency: 1,
    firstBlocks: blockCountOf(range),
    maxFailures: 1,
    knownSize: size,
    onSize: (next) => {
      size = next;
    },
  });
  if (unread.length > 0) throw failure;
  if (size?.isLimited === true) limitedSizes.set(client, size);
  return items;
}
