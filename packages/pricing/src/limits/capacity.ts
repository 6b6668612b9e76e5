import { max, min, subtract } from '../units/arithmetic.ts';
import { toUsdPips } from '../units/conversion.ts';
import { type LeverageBps, type UsdcUnits, type UsdPips, usdPips } from '../units/quantity.ts';
import { largestSizeOf } from './hints.ts';

const nothing = usdPips(0n);

/**
 * Return `capacity_max_notional`: the minimum of the notional headrooms (global, market, side) and of the notional that
 * each borrow headroom (market, side, total) supports at the side's maximum leverage, never negative. A borrow headroom
 * counts as the largest exact size within it, so the figure can be requested unchanged.
 *
 * @returns Notional in pips, rounded down; null when usage or chain state is unknown.
 * @throws RangeError when the leverage is no positive multiple of 2,500 bps.
 */
export function capacityMaxNotionalOf({
  notionalHeadroomsUsdPips,
  borrowHeadroomsUsdcUnits,
  maxLeverageBps,
}: {
  readonly notionalHeadroomsUsdPips: readonly (UsdPips | null)[];
  readonly borrowHeadroomsUsdcUnits: readonly (UsdcUnits | null)[];
  readonly maxLeverageBps: LeverageBps;
}): UsdPips | null {
  let minimum: UsdPips | null = null;
  for (const headroom of notionalHeadroomsUsdPips) {
    if (headroom === null) return null;
    minimum = minimum === null ? headroom : min(minimum, headroom);
  }
  for (const headroom of borrowHeadroomsUsdcUnits) {
    if (headroom === null) return null;
    const size = largestSizeOf(headroom, maxLeverageBps);
    // At 1x nothing is borrowed, so a borrow headroom limits nothing.
    if (size === null) continue;
    const notional = toUsdPips(size.notionalUsdcUnits, 'down');
    minimum = minimum === null ? notional : min(minimum, notional);
  }
  return minimum === null ? null : max(nothing, minimum);
}

/**
 * Return `max_notional`: the minimum of slippage limit (when known), capacity, remaining partner limit and limit of a
 * user without positions.
 *
 * @returns Notional in pips; 0 when the side is closed, null exactly when the capacity is unknown.
 */
export function maxNotionalOf({
  isSideOpen,
  slippageMaxUsdPips,
  capacityMaxUsdPips,
  partnerRemainingUsdPips,
  userLimitUsdPips,
}: {
  readonly isSideOpen: boolean;
  readonly slippageMaxUsdPips: UsdPips | null;
  readonly capacityMaxUsdPips: UsdPips | null;
  readonly partnerRemainingUsdPips: UsdPips;
  readonly userLimitUsdPips: UsdPips;
}): UsdPips | null {
  if (capacityMaxUsdPips === null) return null;
  if (!isSideOpen) return nothing;
  const limit = min(min(capacityMaxUsdPips, partnerRemainingUsdPips), userLimitUsdPips);
  return max(nothing, slippageMaxUsdPips === null ? limit : min(limit, slippageMaxUsdPips));
}

/** Limit usage of the limit routes: remaining = limit − usage. */
export interface LimitUsage {
  readonly limitUsdPips: UsdPips;
  readonly usageUsdPips: UsdPips;
  readonly remainingUsdPips: UsdPips;
}

/** Return the usage of a notional limit. Remaining may be negative after a limit was lowered below its usage. */
export function limitUsageOf(limitUsdPips: UsdPips, usageUsdPips: UsdPips): LimitUsage {
  return { limitUsdPips, usageUsdPips, remainingUsdPips: subtract(limitUsdPips, usageUsdPips) };
}
