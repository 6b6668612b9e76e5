import { applyRate, rateBps, raw, type UsdcUnits } from '@core/pricing';
import type { FeeRates } from '../generated/resources.ts';

const unitsPerPip = 100n;

/**
 * Return the cost of a fill of a value at the mark, as fills of its kind and size cost in the last day: what is paid
 * above the mark or received below it, the venue's fee included. Origination fee and interest are no part of fills.
 * Rounded up; below 0 for fills better than the mark; null where fills of that size are not measured.
 */
export function measuredCostOf(
  valueUsdcUnits: UsdcUnits,
  kind: 'opening' | 'close',
  feeRates: FeeRates | undefined,
): UsdcUnits | null {
  const exceeds = (pips: string): boolean => raw(valueUsdcUnits) > BigInt(pips) * unitsPerPip;
  const measured = feeRates?.market?.measured_costs.find(
    ({ kind: ofKind, min_value_usd_pips: min, max_value_usd_pips: max }) =>
      ofKind === kind && exceeds(min) && (max === null || !exceeds(max)),
  );
  return measured === undefined ? null : applyRate(valueUsdcUnits, rateBps(BigInt(measured.cost_bps)), 'up');
}
