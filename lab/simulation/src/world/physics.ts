import { parseGwei } from 'viem';
import type { BlockPace, ChainFees, NodeFinality, NodeView } from '../outside/chain/settings.ts';
import { fullView } from '../outside/chain/settings.ts';

export const finalityTags = ['present', 'late', 'absent'] as const;
export type FinalityTag = (typeof finalityTags)[number];

/** Physics of a world: settings, not luck. All of it is plain JSON. */
export interface Physics {
  /** Pause between two blocks, in which transactions wait; 0 mines each transaction at once. */
  readonly blockMs: number;
  /** Smallest tip that is mined, and the one that the node suggests. */
  readonly tipFloorGwei: number;
  /** Base fee of every block; null leaves it to the chain. */
  readonly baseFeeGwei: number | null;
  /** Blocks that the node of all programs is behind the chain. */
  readonly nodeLagBlocks: number;
  /** Calls in one request, and blocks in one log query, that the node takes; null is no limit. */
  readonly maxBatchCalls: number | null;
  readonly maxLogBlocks: number | null;
  /** Tag `finalized` of the node, which keeper and filler follow. */
  readonly finality: FinalityTag;
  /** Tick of the markets: 100 is a cent. */
  readonly tickPips: number;
  /** Time that each message of the venue takes longer than one of another program. */
  readonly venueAnswerMs: number;
  /** Time after which the venue matches an order that takes from the book. */
  readonly takerDelayMs: number;
  /** Time for which a match waits before the venue sends it to the chain. */
  readonly venueSettleMs: number;
  /** Largest difference of a program's wall clock from the world's, ahead or behind. */
  readonly clocksApartMs: number;
}

/** A chain with a block every two seconds, and a node and a venue without delays. */
export const defaultPhysics: Physics = {
  blockMs: 2_000,
  tipFloorGwei: 0,
  baseFeeGwei: null,
  nodeLagBlocks: 0,
  maxBatchCalls: null,
  maxLogBlocks: 500,
  finality: 'present',
  tickPips: 100,
  venueAnswerMs: 0,
  takerDelayMs: 0,
  venueSettleMs: 0,
  clocksApartMs: 0,
};

/** Depths of the tags, of which the first is as deep as the deepest branch that a fault replaces. */
const depths: Readonly<Record<FinalityTag, NodeFinality>> = {
  present: { safeBlocks: 3, finalizedBlocks: 3 },
  late: { safeBlocks: 30, finalizedBlocks: 60 },
  absent: 'absent',
};

export function paceOf({ blockMs }: Pick<Physics, 'blockMs'>): BlockPace {
  return blockMs === 0 ? 'instant' : blockMs;
}

export function feesOf({ tipFloorGwei, baseFeeGwei }: Physics): ChainFees {
  const tipFloorWei = parseGwei(String(tipFloorGwei));
  return {
    tipFloorWei,
    baseFeeWei: baseFeeGwei === null ? null : parseGwei(String(baseFeeGwei)),
    suggestedTipWei: tipFloorGwei === 0 ? null : tipFloorWei,
  };
}

/** Return the view of the node that all programs ask. */
export function viewOf({ nodeLagBlocks, maxBatchCalls, maxLogBlocks, finality }: Physics): NodeView {
  return { ...fullView, behindBlocks: nodeLagBlocks, finality: depths[finality], maxBatchCalls, maxLogBlocks };
}
