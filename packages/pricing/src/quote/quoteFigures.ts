import type { BookLevel } from '../book/orderBook.ts';
import type { FeeSchedule } from '../fees/schedule.ts';
import { expectedOpenVenueFeeOf } from '../fees/venueFee.ts';
import { liquidationPriceOf } from '../liquidation/liquidationPrice.ts';
import { type SnappedSize, snapQuote } from '../size/snapQuote.ts';
import { add } from '../units/arithmetic.ts';
import { toUsdPips } from '../units/conversion.ts';
import {
  type LeverageBps,
  type PricePips,
  pricePips,
  type RateBps,
  type TokenUnits,
  type UsdPips,
  usdcUnits,
} from '../units/quantity.ts';
import { type ExpectedFill, expectedFillOf } from './expectedFill.ts';
import { type OpeningCost, openingCostOf } from './openingCost.ts';

/** Inputs of a quote, after the ladder has decided size and leverage. */
export interface QuoteInput {
  /** Asks of the side's token, best first. */
  readonly asks: readonly BookLevel[];
  readonly notionalUsdPips: UsdPips;
  readonly leverageBps: LeverageBps;
  readonly slippageBps: RateBps;
  readonly isPartialOpen?: boolean | undefined;
  readonly tickPricePips: PricePips;
  readonly exitBufferBps: RateBps;
  readonly fees: FeeSchedule;
  /** Mark of an opening attestation at this moment; the reserved fee covers a fill down to it. */
  readonly markPricePips?: PricePips | undefined;
  /** Size and fill of an accepted `reviseSize`; they save snapping and a second walk of the book. */
  readonly size?: SnappedSize | undefined;
  readonly fill?: ExpectedFill | undefined;
}

/** Figures of a quote (DEFINITIONS 2). Field names are those of the wire, the unit comes last. */
export interface QuoteFigures extends SnappedSize, OpeningCost {
  readonly leverageBps: LeverageBps;
  readonly notionalUsdPips: UsdPips;
  readonly entryPricePips: PricePips;
  /** Tokens that the book would deliver. */
  readonly positionTokenUnits: TokenUnits;
  readonly minExpectedPositionTokenUnits: TokenUnits;
  /** Liquidation price that the vault computes for the quoted fill, before any time has passed. */
  readonly currentLiquidationPricePips: PricePips;
  /** Liquidation price at the minimum tokens the user agrees to. */
  readonly worstLiquidationPricePips: PricePips;
  /** Default bound that a user signs: the worst liquidation price plus a pip. */
  readonly maxLiquidationPricePips: PricePips;
}

/**
 * Compute all figures of a quote for a size that the ladder has accepted. Pure: equal inputs give equal figures.
 *
 * @throws RangeError when the book cannot fill the size, the leverage is off the step, or no origination tier reaches
 * it.
 */
export function quoteFiguresOf(input: QuoteInput): QuoteFigures {
  const { asks, notionalUsdPips, leverageBps, slippageBps, tickPricePips, exitBufferBps, fees } = input;
  const size = input.size ?? snapQuote({ notionalUsdPips, leverageBps });
  const { notionalUsdcUnits } = size;
  const isPartialOpen = input.isPartialOpen ?? false;
  const fill = input.fill ?? expectedFillOf({ asks, notionalUsdcUnits, slippageBps, isPartialOpen });
  const venueFeeUsdcUnits = expectedOpenVenueFeeOf({
    fills: fill.fills,
    notionalUsdcUnits,
    entryPricePips: fill.entryPricePips,
    bestAskPricePips: fill.bestAskPricePips,
    slippageBps,
    tickPricePips,
    schedule: fees.venue,
    markPricePips: input.markPricePips,
  });
  const { tokenUnits } = fill;
  const debt = {
    principalUsdcUnits: size.borrowUsdcUnits,
    feesUsdcUnits: usdcUnits(0n),
    liquidationFeeBps: fees.liquidationFeeBps,
    exitBufferBps,
  };
  const worstLiquidationPricePips = liquidationPriceOf({ ...debt, tokenUnits: fill.minExpectedPositionTokenUnits });
  const cost = openingCostOf({ size, leverageBps, tokenUnits, venueFeeUsdcUnits, fees });
  return {
    ...cost,
    leverageBps,
    collateralUsdcUnits: size.collateralUsdcUnits,
    notionalUsdcUnits,
    notionalUsdPips: toUsdPips(notionalUsdcUnits, 'down'),
    borrowUsdcUnits: size.borrowUsdcUnits,
    entryPricePips: fill.entryPricePips,
    positionTokenUnits: tokenUnits,
    minExpectedPositionTokenUnits: fill.minExpectedPositionTokenUnits,
    currentLiquidationPricePips: liquidationPriceOf({ ...debt, tokenUnits }),
    worstLiquidationPricePips,
    maxLiquidationPricePips: add(worstLiquidationPricePips, pricePips(1n)),
  };
}
