import { constants } from '../constants.ts';
import { divideAmount } from '../units/arithmetic.ts';
import { type LeverageBps, raw, type UsdcUnits, type UsdPips, usdcUnits } from '../units/quantity.ts';

const step = raw(constants.leverageStepBps);

/** Size on the exact grid: notional × 10,000 = collateral × leverage, to the unit. */
export interface SnappedSize {
  readonly collateralUsdcUnits: UsdcUnits;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly borrowUsdcUnits: UsdcUnits;
}

/**
 * Return the leverage in quarters, k = leverage / 2,500.
 *
 * @throws RangeError when the leverage is no positive multiple of the step.
 */
export function quartersOf(leverageBps: LeverageBps): bigint {
  const quarters = raw(leverageBps) / step;
  if (quarters <= 0n || quarters * step !== raw(leverageBps)) {
    throw new RangeError('leverage must be a positive multiple of 2500 bps');
  }
  return quarters;
}

/** Return the smallest number of collateral units for which collateral × k / 4 is whole: 4 / gcd(k, 4). */
export function collateralStepOf(quarters: bigint): bigint {
  if (quarters % 4n === 0n) return 1n;
  return quarters % 2n === 0n ? 2n : 4n;
}

/**
 * Return collateral, notional and borrow for a requested notional at a leverage: the smallest collateral on the grid
 * whose notional covers the request. The notional exceeds the request by less than a pip (at most 38 units). Its pips
 * rounded down therefore equal the request, and the identity of the specification holds exactly.
 *
 * @throws RangeError when the leverage is no positive multiple of 2,500 bps.
 * @example
 * ```ts
 * const size = snapQuote({ notionalUsdPips: usdPips(1_000_000n), leverageBps: leverageBps(30_000n) });
 * raw(size.collateralUsdcUnits); // 33_333_334n
 * raw(size.notionalUsdcUnits); // 100_000_002n
 * ```
 */
export function snapQuote({
  notionalUsdPips,
  leverageBps,
}: {
  readonly notionalUsdPips: UsdPips;
  readonly leverageBps: LeverageBps;
}): SnappedSize {
  const quarters = quartersOf(leverageBps);
  const grid = collateralStepOf(quarters);
  const collateral = divideAmount(raw(notionalUsdPips) * 400n, quarters * grid, 'up') * grid;
  const notional = (collateral * quarters) / 4n;
  return {
    collateralUsdcUnits: usdcUnits(collateral),
    notionalUsdcUnits: usdcUnits(notional),
    borrowUsdcUnits: usdcUnits(notional - collateral),
  };
}
