import { type LeverageBps, max, multiplyDivide, raw, type UsdcUnits, usdcUnits } from '@core/pricing';

const wholeBps = 10_000n;

/** Principal of a planned rung: collateral × (L' − 1), rounded down; 0 at 1x and below. */
export function plannedPrincipalOf(collateralUsdcUnits: UsdcUnits, targetLeverageBps: LeverageBps): UsdcUnits {
  const target = multiplyDivide(collateralUsdcUnits, raw(targetLeverageBps) - wholeBps, wholeBps, 'down');
  return max(usdcUnits(0n), target);
}
