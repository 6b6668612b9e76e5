import type { BlockRange } from './blockRanges.ts';

/** Blocks that are asked for at once: 60 million blocks take nine rounds. */
const probesPerRound = 7n;

/** Return blocks that divide a range evenly, the last one excluded, in ascending order. */
function probesOf({ from, to }: BlockRange): readonly bigint[] {
  const probes = new Set<bigint>();
  for (let index = 1n; index <= probesPerRound; index += 1n) {
    probes.add(from + ((to - from) * index) / (probesPerRound + 1n));
  }
  return [...probes];
}

/**
 * Find the block from which a contract has code, with a few reads of old state. A contract that has none at `head` is
 * not looked for.
 *
 * @param hasCodeAt Returns true when the contract has code after the block; throws where the node has no such state.
 * @returns That block; 0 where the node has no old state, because the logs may begin anywhere.
 */
export async function findFirstBlock(hasCodeAt: (block: bigint) => Promise<boolean>, head: bigint): Promise<bigint> {
  let range: BlockRange = { from: 0n, to: head };
  try {
    if (!(await hasCodeAt(head))) return 0n;
    while (range.from < range.to) {
      const probes = probesOf(range);
      const answers = await Promise.all(probes.map(hasCodeAt));
      const first = answers.indexOf(true);
      const below = first === -1 ? probes.at(-1) : probes[first - 1];
      range = { from: below === undefined ? range.from : below + 1n, to: probes[first] ?? range.to };
    }
    return range.from;
  } catch {
    return 0n;
  }
}
