import { applyRate, type RateBps, rateBps, raw, type UsdcUnits } from '@core/pricing';
import type { FeeRates } from '../generated/resources.ts';

const unitsPerPip = 100n;

/**
 * Return the cost of a fill of a value, as fills of its kind and size cost in the last day. An opening has the value of
 * its tokens at the entry price of the quote, and costs what is paid above it. A close has their value at the mid, and
 * costs what is received below it. The venue's fee is included; origination fee and interest are no part of fills.
 * Rounded up; below 0 for a gain; null where fills of that size are not measured.
 */
export function measuredCostOf(
  valueUsdcUnits: UsdcUnits,
  kind: 'opening' | 'close',
  feeRates: FeeRates | undefined,
): UsdcUnits | null {
  const rate = measuredRateOf(valueUsdcUnits, kind, feeRates);
  return rate === null ? null : applyRate(valueUsdcUnits, rate, 'up');
}

/** Return that cost as a share of the value. */
export function measuredRateOf(
  valueUsdcUnits: UsdcUnits,
  kind: 'opening' | 'close',
  feeRates: FeeRates | undefined,
): RateBps | null {
  const exceeds = (pips: string): boolean => raw(valueUsdcUnits) > BigInt(pips) * unitsPerPip;
  const measured = feeRates?.market?.measured_costs.find(
    ({ kind: ofKind, min_value_usd_pips: min, max_value_usd_pips: max }) =>
      ofKind === kind && exceeds(min) && (max === null || !exceeds(max)),
  );
  return measured === undefined ? null : rateBps(BigInt(measured.cost_bps));
}
