import { unwindReasonOf, unwindReasons } from '@core/policy';
import { raw } from '@core/pricing';
import type { PositionRecord, PositionUnwindRecord } from '@core/store';
import type { PlannedUnwindsWire, UnwindsWire } from '@core/wire';
import { isoTimeOf, nullableIsoTimeOf } from './isoTime.ts';

/** Most unwinds an answer lists. */
const maxListed = 100;

/** The `unwinds` expansion: completed unwinds in order of time. */
export function presentUnwinds(position: PositionRecord, unwinds: readonly PositionUnwindRecord[]): UnwindsWire {
  return {
    current_leverage_bps: Number(raw(position.structuralLeverageBps)),
    origination_leverage_bps: Number(raw(position.leverageBps)),
    originated_at: nullableIsoTimeOf(position.openedAtMs),
    data: unwinds.slice(0, maxListed).map((unwind) => {
      const reason = unwind.reason === null ? null : unwindReasonOf(unwind.reason);
      return {
        executed_at: isoTimeOf(unwind.executedAtMs),
        before_leverage_bps: Number(raw(unwind.beforeLeverageBps)),
        after_leverage_bps: Number(raw(unwind.afterLeverageBps)),
        reason,
        reason_detail: reason === null ? null : unwindReasons[reason].sentence,
      };
    }),
    has_more: unwinds.length > maxListed,
  };
}

/**
 * The `planned_unwinds` expansion; null for adaptive positions, which have no ladder. The policy plans no rungs at quote
 * time yet, so the ladder of a committed position is empty.
 */
export function presentPlannedUnwinds(position: PositionRecord): PlannedUnwindsWire | null {
  return position.riskMode === 'committed' ? { data: [], has_more: false } : null;
}
