import { add } from '../units/arithmetic.ts';
import { leverageOf } from '../units/conversion.ts';
import { type LeverageBps, leverageBps, raw, type UsdcUnits } from '../units/quantity.ts';

/** Structural leverage that held from a moment on. */
export interface LeverageSpan {
  readonly fromSeconds: number;
  readonly leverageBps: LeverageBps;
}

/** Leverage in the books: ⌊(collateral + principal) × 10,000 / collateral⌋; after an unwind, its `after` value. */
export function bookLeverageOf(ledger: {
  readonly collateralUsdcUnits: UsdcUnits;
  readonly principalUsdcUnits: UsdcUnits;
}): LeverageBps {
  return leverageOf(add(ledger.collateralUsdcUnits, ledger.principalUsdcUnits), ledger.collateralUsdcUnits);
}

/**
 * Time-weighted average structural leverage since opening, rounded down: `effective_leverage_bps`. The spans are in
 * order, the first starts at `opened_at`, the last lasts until now or `closed_at`. Before any time has passed it is
 * the last span's leverage.
 * @throws RangeError without a span.
 */
export function effectiveLeverageOf(spans: readonly LeverageSpan[], untilSeconds: number): LeverageBps {
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('a position has had at least one leverage');
  if (untilSeconds <= first.fromSeconds) return last.leverageBps;
  let weighted = 0n;
  for (const [index, span] of spans.entries()) {
    const end = spans[index + 1]?.fromSeconds ?? untilSeconds;
    weighted += raw(span.leverageBps) * BigInt(end - span.fromSeconds);
  }
  return leverageBps(weighted / BigInt(untilSeconds - first.fromSeconds));
}

/** Whole minutes until the market closes, never negative; null without a close time. */
export function timeToCloseMinutesOf(closeTimeMs: number | null, nowMs: number): number | null {
  return closeTimeMs === null ? null : Math.max(0, Math.floor((closeTimeMs - nowMs) / 60_000));
}
