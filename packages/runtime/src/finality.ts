import type { PublicClient } from 'viem';
import { type Codec, wholeNumber } from './codecs.ts';

/** Rule for final blocks: a number of blocks behind the head, or the `finalized` tag of the node. */
export type Finality = bigint | 'finalized';

const depth = wholeNumber(0);

/** A number of blocks in decimal digits, or `finalized`. */
export const finality: Codec<Finality> = {
  expects: `${depth.expects}, or finalized`,
  read: (text) => {
    if (text === 'finalized') return text;
    const blocks = depth.read(text);
    return blocks === undefined ? undefined : BigInt(blocks);
  },
};

/**
 * Return the number of the newest final block: 0 at least, the head at most. Only the tag asks the node.
 *
 * @throws the client's error when the node does not answer, or does not know the tag.
 */
export async function finalBlockOf(
  client: Pick<PublicClient, 'getBlock'>,
  { finality: rule, head }: { readonly finality: Finality; readonly head: bigint },
): Promise<bigint> {
  const final = rule === 'finalized' ? (await client.getBlock({ blockTag: 'finalized' })).number : head - rule;
  if (final < 0n) return 0n;
  return final < head ? final : head;
}
