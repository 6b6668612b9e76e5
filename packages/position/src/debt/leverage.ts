import { add, type LeverageBps, leverageBps, leverageOf, raw, type UsdcUnits } from '@core/pricing';
import type { Position } from '../record/position.ts';

/** Leverage in the books: ⌊(collateral + principal) × 10,000 / collateral⌋; after an unwind, its `after` value. */
export function bookLeverageOf(books: {
  readonly collateralUsdcUnits: UsdcUnits;
  readonly principalUsdcUnits: UsdcUnits;
}): LeverageBps {
  return leverageOf(add(books.collateralUsdcUnits, books.principalUsdcUnits), books.collateralUsdcUnits);
}

/** Structural leverage × seconds from the opening up to an instant. */
export function leverageBpsSecondsAt(position: Position, atMs: number): bigint {
  const sinceMs = position.leverageChangedAtMs ?? atMs;
  const seconds = BigInt(Math.max(0, Math.floor((atMs - sinceMs) / 1_000)));
  return position.leverageBpsSeconds + raw(position.structuralLeverageBps) * seconds;
}

/**
 * `effective_leverage_bps`: structural leverage weighted by time, from the opening until now or the end, rounded down.
 * Before any time has passed it is the structural leverage.
 */
export function effectiveLeverageOf(position: Position, nowMs: number): LeverageBps {
  const { openedAtMs, structuralLeverageBps } = position;
  const untilMs = position.closedAtMs ?? nowMs;
  const seconds = openedAtMs === null ? 0 : Math.floor((untilMs - openedAtMs) / 1_000);
  return seconds <= 0 ? structuralLeverageBps : leverageBps(leverageBpsSecondsAt(position, untilMs) / BigInt(seconds));
}
