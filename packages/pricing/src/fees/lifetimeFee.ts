import { constants } from '../constants.ts';
import { multiplyDivide } from '../units/arithmetic.ts';
import { applyRate, wholeBps } from '../units/conversion.ts';
import { type RateBps, raw, type UsdcUnits } from '../units/quantity.ts';

const aprDivisor = wholeBps * BigInt(constants.secondsPerYear);

/**
 * Return the lifetime fee on a constant principal: ⌈principal × apr × seconds / (10,000 × 365 days)⌉. Splitting the
 * time adds at most one unit per cut (DEFINITIONS 4, PROTOCOL "Money flow").
 *
 * @param principalUsdcUnits Borrowed USDC during the whole time.
 * @param lifetimeFeeAprBps Yearly rate.
 * @param elapsedSeconds Whole seconds.
 * @returns Fee in USDC units, rounded up.
 * @throws RangeError when the seconds are not a whole number.
 */
export function lifetimeFeeOf({
  principalUsdcUnits,
  lifetimeFeeAprBps,
  elapsedSeconds,
}: {
  readonly principalUsdcUnits: UsdcUnits;
  readonly lifetimeFeeAprBps: RateBps;
  readonly elapsedSeconds: number;
}): UsdcUnits {
  return multiplyDivide(principalUsdcUnits, raw(lifetimeFeeAprBps) * BigInt(elapsedSeconds), aprDivisor, 'up');
}

/** Return the fee on the principal that one liquidation tranche repaid, rounded up (PROTOCOL "Money flow"). */
export function liquidationFeeOf(repaidPrincipalUsdcUnits: UsdcUnits, liquidationFeeBps: RateBps): UsdcUnits {
  return applyRate(repaidPrincipalUsdcUnits, liquidationFeeBps, 'up');
}
