import type { FeeSchedule } from '../catalogue/marketDefinition.ts';
import { onePricePips } from '../units/decimals.ts';

/**
 * Return the venue's fee from a taker: Σ C × rate × (p × (1 − p))^exponent over its fills, in USDC units, rounded down
 * to five decimals (ten units).
 */
export function takerFeeUsdcUnits(
  schedule: FeeSchedule | null,
  fills: readonly { readonly tokenUnits: bigint; readonly takerPricePips: bigint }[],
): bigint {
  if (schedule === null) return 0n;
  const unit = onePricePips * onePricePips;
  const numerator = fills.reduce((sum, { tokenUnits, takerPricePips }) => {
    const odds = takerPricePips * (onePricePips - takerPricePips);
    return sum + tokenUnits * schedule.ratePpm * odds ** schedule.exponent;
  }, 0n);
  const feeUnits = numerator / (1_000_000n * unit ** schedule.exponent);
  return feeUnits - (feeUnits % 10n);
}
