import { constants } from '../constants.ts';
import { collateralStepOf, quartersOf, type SnappedSize, snapQuote } from '../size/snapQuote.ts';
import { add, max, subtract } from '../units/arithmetic.ts';
import { toUsdcUnits, toUsdPips, wholeBps } from '../units/conversion.ts';
import {
  type LeverageBps,
  leverageBps,
  type RateBps,
  rateBps,
  raw,
  type UsdcUnits,
  type UsdPips,
  usdcUnits,
  usdPips,
} from '../units/quantity.ts';

/** Params of `quote_{user,market,side,global}_position_limit_exceeded`. */
export interface PositionLimitHint {
  readonly available_capacity_usd_pips: UsdPips;
  readonly current_notional_usd_pips: UsdPips;
  readonly limit_usd_pips: UsdPips;
}

/** Params of `quote_partner_position_limit_exceeded`: current usage is split into its two parts as well. */
export interface PartnerLimitHint extends PositionLimitHint {
  readonly active_notional_usd_pips: UsdPips;
  readonly in_flight_notional_usd_pips: UsdPips;
}

/** Params of `quote_{user,market,side,total}_capital_exceeded`. The last two are absent at 1x. */
export interface CapitalHint {
  readonly available_borrowed_usdc_units: UsdcUnits;
  readonly cap_usdc_units: UsdcUnits;
  readonly current_borrowed_usdc_units: UsdcUnits;
  readonly requested_borrowed_usdc_units: UsdcUnits;
  readonly available_collateral_usdc_units?: UsdcUnits;
  readonly available_notional_usdc_units?: UsdcUnits;
}

/** Params of `quote_side_capacity_exceeded`. */
export interface SideCapacityHint {
  readonly available_capacity_usd_pips: UsdPips;
  readonly max_supported_collateral_usd_pips: UsdPips;
  readonly min_notional_usd_pips: UsdPips;
}

/** Params of `quote_leverage_exceeds_collateral_floor`. */
export interface CollateralFloorHint {
  readonly current_book_leverage_bps: LeverageBps;
  readonly current_collateral_usd_pips: UsdPips;
  readonly max_leverage_bps: LeverageBps;
  readonly min_collateral_usd_pips: UsdPips;
}

const noPips = usdPips(0n);
const noUnits = usdcUnits(0n);

/** Return the minimum collateral of an opening: the market's own, never below the vault's. */
export function collateralFloorOf(minCollateralUsdPips: UsdPips): UsdcUnits {
  return max(constants.minCollateralUsdcUnits, toUsdcUnits(minCollateralUsdPips));
}

/** Return the maximum leverage at which the collateral of a notional meets a floor, rounded down to the step. */
export function floorLeverageOf(notionalUsdPips: UsdPips, floorUsdcUnits: UsdcUnits): LeverageBps {
  const step = raw(constants.leverageStepBps);
  const exact = (raw(toUsdcUnits(notionalUsdPips)) * wholeBps) / raw(floorUsdcUnits);
  return leverageBps((exact / step) * step);
}

/** Build the hint of a size whose collateral is below a floor. */
export function collateralFloorHintOf(
  request: { readonly notionalUsdPips: UsdPips; readonly leverageBps: LeverageBps },
  floorUsdcUnits: UsdcUnits,
): CollateralFloorHint {
  return {
    current_book_leverage_bps: request.leverageBps,
    current_collateral_usd_pips: toUsdPips(snapQuote(request).collateralUsdcUnits, 'down'),
    max_leverage_bps: floorLeverageOf(request.notionalUsdPips, floorUsdcUnits),
    min_collateral_usd_pips: toUsdPips(floorUsdcUnits, 'up'),
  };
}

/**
 * Build the hint of a notional cap: current counts positions and pending quotes; available = max(0, limit − current).
 */
export function positionLimitHintOf(limitUsdPips: UsdPips, currentUsdPips: UsdPips): PositionLimitHint {
  return {
    available_capacity_usd_pips: max(noPips, subtract(limitUsdPips, currentUsdPips)),
    current_notional_usd_pips: currentUsdPips,
    limit_usd_pips: limitUsdPips,
  };
}

/** Build the hint of the partner's notional cap, with both parts of the usage. */
export function partnerLimitHintOf({
  limitUsdPips,
  activeUsdPips,
  inFlightUsdPips,
}: {
  readonly limitUsdPips: UsdPips;
  readonly activeUsdPips: UsdPips;
  readonly inFlightUsdPips: UsdPips;
}): PartnerLimitHint {
  return {
    ...positionLimitHintOf(limitUsdPips, add(activeUsdPips, inFlightUsdPips)),
    active_notional_usd_pips: activeUsdPips,
    in_flight_notional_usd_pips: inFlightUsdPips,
  };
}

/**
 * Return the largest exact size whose borrow stays within a headroom: collateral ⌊4h / (k − 4)⌋ down to the grid,
 * notional collateral × k / 4. Its notional in whole pips is accepted when resubmitted.
 *
 * @returns Size, or null at 1x and below, where nothing is borrowed.
 * @throws RangeError when the leverage is no positive multiple of 2,500 bps.
 */
export function largestSizeOf(borrowHeadroomUsdcUnits: UsdcUnits, leverageBps: LeverageBps): SnappedSize | null {
  const quarters = quartersOf(leverageBps);
  if (quarters <= 4n) return null;
  const grid = collateralStepOf(quarters);
  const collateral = ((raw(max(noUnits, borrowHeadroomUsdcUnits)) * 4n) / (quarters - 4n) / grid) * grid;
  const notional = (collateral * quarters) / 4n;
  return {
    collateralUsdcUnits: usdcUnits(collateral),
    notionalUsdcUnits: usdcUnits(notional),
    borrowUsdcUnits: usdcUnits(notional - collateral),
  };
}

/** Build the hint of a borrowed-capital cap, re-expressed at the requested leverage so that it can be resubmitted. */
export function capitalHintOf({
  capUsdcUnits,
  currentBorrowedUsdcUnits,
  requestedBorrowedUsdcUnits,
  leverageBps,
}: {
  readonly capUsdcUnits: UsdcUnits;
  readonly currentBorrowedUsdcUnits: UsdcUnits;
  readonly requestedBorrowedUsdcUnits: UsdcUnits;
  readonly leverageBps: LeverageBps;
}): CapitalHint {
  const available = max(noUnits, subtract(capUsdcUnits, currentBorrowedUsdcUnits));
  const size = largestSizeOf(available, leverageBps);
  const hint = {
    available_borrowed_usdc_units: available,
    cap_usdc_units: capUsdcUnits,
    current_borrowed_usdc_units: currentBorrowedUsdcUnits,
    requested_borrowed_usdc_units: requestedBorrowedUsdcUnits,
  };
  if (size === null) return hint;
  return {
    ...hint,
    available_collateral_usdc_units: size.collateralUsdcUnits,
    available_notional_usdc_units: size.notionalUsdcUnits,
  };
}

/** Return the collateral that an available notional allows at a leverage: ⌊4 × notional / k⌋ pips. */
export function maxSupportedCollateralOf(availableNotionalUsdPips: UsdPips, leverageBps: LeverageBps): UsdPips {
  return usdPips((raw(max(noPips, availableNotionalUsdPips)) * 4n) / quartersOf(leverageBps));
}

/** Build the hint of a side's capacity at the requested leverage. */
export function sideCapacityHintOf({
  availableUsdPips,
  leverageBps,
  minNotionalUsdPips,
}: {
  readonly availableUsdPips: UsdPips;
  readonly leverageBps: LeverageBps;
  readonly minNotionalUsdPips: UsdPips;
}): SideCapacityHint {
  return {
    available_capacity_usd_pips: max(noPips, availableUsdPips),
    max_supported_collateral_usd_pips: maxSupportedCollateralOf(availableUsdPips, leverageBps),
    min_notional_usd_pips: minNotionalUsdPips,
  };
}

/** Minimum share that a partial-open must fill, and the minimum that binds it. */
export interface MinFillFloor {
  readonly floorMinFillBps: RateBps;
  readonly boundBy: 'collateral' | 'notional';
}

/**
 * Return the smallest multiple of 500 bps at which a partial fill keeps ⌈collateral × m / 10,000⌉ at the collateral
 * floor and notional × m / 10,000 at the minimum notional. It may exceed 5,000, and 10,000: then this size has no
 * partial-open. The collateral is named when both minimums need the same step.
 *
 * @throws RangeError for an empty size.
 */
export function minFillFloorOf({
  size,
  minCollateralUsdPips,
  minNotionalUsdPips,
}: {
  readonly size: SnappedSize;
  readonly minCollateralUsdPips: UsdPips;
  readonly minNotionalUsdPips: UsdPips;
}): MinFillFloor {
  const floor = raw(collateralFloorOf(minCollateralUsdPips));
  const collateral = raw(size.collateralUsdcUnits);
  // ⌈collateral × m / 10,000⌉ ≥ floor is collateral × m > (floor − 1) × 10,000 in whole numbers.
  const byCollateral = stepUp(((floor - 1n) * wholeBps) / collateral + 1n);
  const minimum = raw(toUsdcUnits(minNotionalUsdPips)) * wholeBps;
  const notional = raw(size.notionalUsdcUnits);
  const byNotional = stepUp((minimum + notional - 1n) / notional);
  return byNotional > byCollateral
    ? { floorMinFillBps: rateBps(byNotional), boundBy: 'notional' }
    : { floorMinFillBps: rateBps(byCollateral), boundBy: 'collateral' };
}

function stepUp(bps: bigint): bigint {
  const step = raw(constants.fillStepBps);
  return ((bps + step - 1n) / step) * step;
}

/** Params of `quote_min_fill_bps_below_floor`. */
export interface MinFillHint {
  readonly min_fill_bps: RateBps;
  readonly floor_min_fill_bps: RateBps;
  readonly bound_by: 'collateral' | 'notional';
  readonly requested_collateral_usd_pips: UsdPips;
  readonly requested_notional_usd_pips: UsdPips;
}

/** Build the hint of a fill floor that is too low for the size. */
export function minFillHintOf(minFillBps: RateBps, size: SnappedSize, floor: MinFillFloor): MinFillHint {
  return {
    min_fill_bps: minFillBps,
    floor_min_fill_bps: floor.floorMinFillBps,
    bound_by: floor.boundBy,
    requested_collateral_usd_pips: toUsdPips(size.collateralUsdcUnits, 'down'),
    requested_notional_usd_pips: toUsdPips(size.notionalUsdcUnits, 'down'),
  };
}

/** Return the default fill floor: the smallest valid step that keeps both minimums, null when none does. */
export function defaultMinFillBpsOf(floor: MinFillFloor): RateBps | null {
  const minimum = max(constants.minFillBps, floor.floorMinFillBps);
  return raw(minimum) > raw(constants.maxFillBps) ? null : minimum;
}
