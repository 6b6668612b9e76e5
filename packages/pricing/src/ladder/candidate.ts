import { clearableNotionalOf } from '../book/clearable.ts';
import { constants } from '../constants.ts';
import { collateralFloorOf, floorLeverageOf } from '../limits/hints.ts';
import { isLiquidationViable, liquidationPriceOf } from '../liquidation/liquidationPrice.ts';
import { type ExpectedFill, expectedFillOf } from '../quote/expectedFill.ts';
import { type SnappedSize, snapQuote } from '../size/snapQuote.ts';
import { min } from '../units/arithmetic.ts';
import { type LeverageBps, leverageBps, raw, type UsdcUnits, type UsdPips, usdcUnits } from '../units/quantity.ts';
import type { SizeMarket, SizeRequest } from './sizeRevision.ts';

const { minRevisedLeverageBps } = constants;
const step = raw(constants.leverageStepBps);

/** Inputs of every step of the revision ladder: request, market and their derived figures. */
export interface Ladder {
  readonly request: SizeRequest;
  readonly market: SizeMarket;
  /** clear(s) at the requested slippage. */
  readonly clearableUsdPips: UsdPips;
  /** F: the minimum collateral. */
  readonly floorUsdcUnits: UsdcUnits;
}

/** Size as the book would fill it, with its liquidation price at the worst allowed fill. */
export interface Candidate {
  readonly size: SnappedSize;
  readonly fill: ExpectedFill;
  readonly liquidationPricePips: ReturnType<typeof liquidationPriceOf>;
  readonly isViable: boolean;
}

/** Build the inputs of the ladder's steps for a request on a market. */
export function ladderOf(request: SizeRequest, market: SizeMarket): Ladder {
  return {
    request,
    market,
    clearableUsdPips: clearableNotionalOf({ asks: market.asks, slippageBps: request.slippageBps }),
    floorUsdcUnits: collateralFloorOf(market.minCollateralUsdPips),
  };
}

/** Return the least of requested leverage, G and what the collateral floor allows at a notional. */
export function targetLeverageOf(ladder: Ladder, notionalUsdPips: UsdPips): LeverageBps {
  const limit = ladder.market.leverageLimitOf(notionalUsdPips);
  return min(min(ladder.request.leverageBps, limit), floorLeverageOf(notionalUsdPips, ladder.floorUsdcUnits));
}

/**
 * Walk the book for a notional at a leverage and decide (f).
 *
 * @throws RangeError when the leverage is off the step.
 */
export function candidateOf({ request, market }: Ladder, notionalUsdPips: UsdPips, leverage: LeverageBps): Candidate {
  const size = snapQuote({ notionalUsdPips, leverageBps: leverage });
  const fill = expectedFillOf({
    asks: market.asks,
    notionalUsdcUnits: size.notionalUsdcUnits,
    slippageBps: request.slippageBps,
    isPartialOpen: request.minFillBps !== null,
  });
  const liquidationPricePips = liquidationPriceOf({
    principalUsdcUnits: size.borrowUsdcUnits,
    feesUsdcUnits: usdcUnits(0n),
    tokenUnits: fill.minExpectedPositionTokenUnits,
    liquidationFeeBps: market.liquidationFeeBps,
    exitBufferBps: market.exitBufferBps,
  });
  const { entryPricePips } = fill;
  const isViable = isLiquidationViable({
    liquidationPricePips,
    entryPricePips,
    markPricePips: market.markPricePips,
  });
  return { size, fill, liquidationPricePips, isViable };
}

/** Return true where (f) of the ladder holds. */
export function isViableAt(ladder: Ladder, notionalUsdPips: UsdPips, leverage: LeverageBps): boolean {
  return candidateOf(ladder, notionalUsdPips, leverage).isViable;
}

/** Return min(limit, W): the highest step up to a limit at which (f) holds, 0 when it holds at none. */
export function viableLeverageOf(ladder: Ladder, notionalUsdPips: UsdPips, limit: LeverageBps): LeverageBps {
  // More leverage on the same notional only raises the liquidation price, so the steps can be bisected.
  let lowest = 0n;
  let highest = raw(limit) / step;
  if (highest <= 0n || isViableAt(ladder, notionalUsdPips, limit)) return limit;
  while (highest - lowest > 1n) {
    const middle = (lowest + highest) / 2n;
    if (isViableAt(ladder, notionalUsdPips, leverageBps(middle * step))) lowest = middle;
    else highest = middle;
  }
  return leverageBps(lowest * step);
}

/** Return true where the market and (f) allow the lowest leverage a revision may end at. */
export function isOpenable(ladder: Ladder, notionalUsdPips: UsdPips): boolean {
  if (raw(ladder.market.leverageLimitOf(notionalUsdPips)) < raw(minRevisedLeverageBps)) return false;
  return isViableAt(ladder, notionalUsdPips, minRevisedLeverageBps);
}
