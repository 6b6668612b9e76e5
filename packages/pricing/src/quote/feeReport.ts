import type { FeeSchedule } from '../fees/schedule.ts';
import { venueFeeOf } from '../fees/venueFee.ts';
import { estimatedLiquidationPriceOf } from '../liquidation/liquidationPrice.ts';
import { type SnappedSize, snapQuote } from '../size/snapQuote.ts';
import { tokensFor, toUsdPips } from '../units/conversion.ts';
import type { LeverageBps, PricePips, TokenUnits, UsdPips } from '../units/quantity.ts';
import { type OpeningCost, openingCostOf } from './openingCost.ts';

/** Every figure of a fee report (DEFINITIONS 3). */
export interface FeeReport extends SnappedSize, OpeningCost {
  readonly leverageBps: LeverageBps;
  readonly notionalUsdPips: UsdPips;
  readonly entryPricePips: PricePips;
  readonly positionTokenUnits: TokenUnits;
  readonly estimatedLiquidationPricePips: PricePips;
}

/**
 * Fee report at one entry price (1 to 9,999 pips): no book, no limits. Tokens = ⌊notional × 10,000 / entry⌋; the
 * venue fee is that of buying them at entry, without a quote's headroom; gains and total as in a quote.
 * @throws RangeError at entry price zero, a leverage off the step, or one that no origination tier reaches.
 */
export function feeReportOf({
  notionalUsdPips,
  leverageBps,
  entryPricePips,
  fees,
}: {
  readonly notionalUsdPips: UsdPips;
  readonly leverageBps: LeverageBps;
  readonly entryPricePips: PricePips;
  readonly fees: FeeSchedule;
}): FeeReport {
  const size = snapQuote({ notionalUsdPips, leverageBps });
  const tokenUnits = tokensFor(size.notionalUsdcUnits, entryPricePips, 'down');
  const venueFeeUsdcUnits = venueFeeOf({
    tokenUnits,
    pricePips: entryPricePips,
    schedule: fees.venue,
    rounding: 'up',
  });
  const { liquidationFeeBps } = fees;
  return {
    ...openingCostOf({ size, leverageBps, tokenUnits, venueFeeUsdcUnits, fees }),
    collateralUsdcUnits: size.collateralUsdcUnits,
    notionalUsdcUnits: size.notionalUsdcUnits,
    borrowUsdcUnits: size.borrowUsdcUnits,
    leverageBps,
    notionalUsdPips: toUsdPips(size.notionalUsdcUnits, 'down'),
    entryPricePips,
    positionTokenUnits: tokenUnits,
    estimatedLiquidationPricePips: estimatedLiquidationPriceOf({ entryPricePips, leverageBps, liquidationFeeBps }),
  };
}
