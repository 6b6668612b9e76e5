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
 * Return the number of the newest final block: 0 at least, the head at most. Only the tag asks the node, and null means
 * that it does not know: a node that was restarted, or lost its view of consensus, serves blocks and logs all the same.
 */
export async function finalBlockOf(
  client: Pick<PublicClient, 'getBlock'>,
  { finality: rule, head }: { readonly finality: Finality; readonly head: bigint },
): Promise<bigint | null> {
  const final = rule === 'finalized' ? await taggedBlockOf(client) : head - rule;
  if (final === null) return null;
  if (final < 0n) return 0n;
  return final < head ? final : head;
}

const taggedBlockOf = (client: Pick<PublicClient, 'getBlock'>): Promise<bigint | null> =>
  client.getBlock({ blockTag: 'finalized' }).then(
    ({ number }) => number,
    () => null,
  );
