import { bookLeverageOf, leverageBpsSecondsAt } from '../debt/leverage.ts';
import type { Position } from '../record/position.ts';
import type { PositionHistory, PositionUnwind } from '../record/positionHistory.ts';
import type { EventPlace } from './positionEvent.ts';

/**
 * A completed unwind: structural leverage falls to what the books say now. `position` is the one after it, still with
 * the structural leverage of before.
 */
export function withUnwind(
  history: PositionHistory,
  position: Position,
  { blockTimeMs, blockNumber, reason, rung }: EventPlace & Pick<PositionUnwind, 'reason' | 'rung'>,
): PositionHistory {
  const afterLeverageBps = bookLeverageOf(position);
  const unwind: PositionUnwind = {
    sequence: history.unwinds.length,
    executedAtMs: blockTimeMs,
    beforeLeverageBps: position.structuralLeverageBps,
    afterLeverageBps,
    reason,
    rung,
    blockNumber,
  };
  return {
    ...history,
    position: {
      ...position,
      structuralLeverageBps: afterLeverageBps,
      leverageBpsSeconds: leverageBpsSecondsAt(position, blockTimeMs),
      leverageChangedAtMs: blockTimeMs,
    },
    unwinds: [...history.unwinds, unwind],
  };
}
