import { raw } from '@core/pricing';
import type { PositionRecord } from '@core/store';

/** Orders of fewer tokens do not exist on the venue: 5 tokens. */
const leastSaleTokenUnits = 5_000_000n;

/**
 * Sizes a partial close may have: at least a fifth of what was opened and 5 tokens, and at most what leaves 5 tokens.
 * Both 0 when no part can be closed.
 */
export function partialCloseRangeOf(position: PositionRecord): { readonly min: bigint; readonly max: bigint } {
  if (position.openedTokenUnits === null) return { min: 0n, max: 0n };
  const fifth = (raw(position.openedTokenUnits) + 4n) / 5n;
  const min = fifth > leastSaleTokenUnits ? fifth : leastSaleTokenUnits;
  const max = raw(position.tokenUnits) - leastSaleTokenUnits;
  return max < min ? { min: 0n, max: 0n } : { min, max };
}

/** Time-weighted structural leverage since the opening, until now or the end, rounded down. */
export function effectiveLeverageBpsOf(position: PositionRecord, nowMs: number): bigint {
  const { openedAtMs, closedAtMs, leverageChangedAtMs } = position;
  const structural = raw(position.structuralLeverageBps);
  if (openedAtMs === null) return structural;
  const untilSeconds = Math.floor((closedAtMs ?? nowMs) / 1_000);
  const openedSeconds = Math.floor(openedAtMs / 1_000);
  if (untilSeconds <= openedSeconds) return structural;
  const changedSeconds = Math.floor((leverageChangedAtMs ?? openedAtMs) / 1_000);
  const running = structural * BigInt(Math.max(0, untilSeconds - changedSeconds));
  return (position.leverageBpsSeconds + running) / BigInt(untilSeconds - openedSeconds);
}
