import { compare, isZero } from '@core/pricing';
import type { Position } from '../record/position.ts';
import type { PositionUnwind } from '../record/positionHistory.ts';
import type { PlannedUnwind } from '../record/quotedRisk.ts';

/** A rung of a ladder, and what became of it. */
export interface LadderRung extends PlannedUnwind {
  /** Superseded: its debt was repaid before, or the position had ended. */
  readonly status: 'planned' | 'triggered' | 'superseded';
  /** Time of its first sale, epoch milliseconds. */
  readonly triggeredAtMs: number | null;
  /** Sequence of the unwind that completed it so far; a thin book takes a rung in several. */
  readonly executedSequence: number | null;
}

/**
 * The ladder of a committed position with the status of each rung (SERVICE, "planned unwind rung"); empty for adaptive
 * positions and unknown quotes. A fall through several rungs carries out the lowest of them and supersedes the others.
 */
export function ladderOf(position: Position, unwinds: readonly PositionUnwind[]): readonly LadderRung[] {
  return (position.quotedRisk?.plannedUnwinds ?? []).map((planned) => {
    const sales = unwinds.filter(({ rung }) => rung === planned.rung);
    const [first, last] = [sales[0], sales.at(-1)];
    if (first === undefined || last === undefined) {
      const status = isSuperseded(position, planned) ? 'superseded' : 'planned';
      return { ...planned, status, triggeredAtMs: null, executedSequence: null };
    }
    const { sequence: executedSequence } = last;
    return { ...planned, status: 'triggered', triggeredAtMs: first.executedAtMs, executedSequence };
  });
}

function isSuperseded(position: Position, { targetLeverageBps }: PlannedUnwind): boolean {
  const { chainState, principalUsdcUnits, structuralLeverageBps } = position;
  if (chainState === 'pending') return false;
  return chainState !== 'open' || isZero(principalUsdcUnits) || compare(structuralLeverageBps, targetLeverageBps) <= 0;
}
