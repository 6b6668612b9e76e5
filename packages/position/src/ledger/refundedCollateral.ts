import { add, max, subtract, type UsdcUnits, usdcUnits } from '@core/pricing';
import type { Position } from '../record/position.ts';

/** Of everything that a refund returned, the part that was collateral: fees are returned beside it, and first. */
export function refundedCollateralOf(position: Position, refundUsdcUnits: UsdcUnits): UsdcUnits {
  const fees = add(position.quotedOriginationFeeUsdcUnits, position.quotedVenueFeeUsdcUnits);
  return max(usdcUnits(0n), subtract(refundUsdcUnits, fees));
}
