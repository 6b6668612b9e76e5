import type { FeeSchedule } from '../fees/schedule.ts';
import { venueFeeOf } from '../fees/venueFee.ts';
import { estimatedLiquidationPriceOf } from '../liquidation/liquidationPrice.ts';
import { type SnappedSize, snapQuote } from '../size/snapQuote.ts';
import { tokensFor, toUsdPips } from '../units/conversion.ts';
import type { LeverageBps, PricePips, TokenUnits, UsdPips } from '../units/quantity.ts';
import { type OpeningCost, openingCostOf } from './openingCost.ts';

/** Figures of a fee report (DEFINITIONS 3). */
export interface FeeReport extends SnappedSize, OpeningCost {
  readonly leverageBps: LeverageBps;
  readonly notionalUsdPips: UsdPips;
  readonly entryPricePips: PricePips;
  readonly positionTokenUnits: TokenUnits;
  readonly estimatedLiquidationPricePips: PricePips;
}

/**
 * Compute a fee report at one entry price, without book and limits. Tokens = ⌊notional × 10,000 / entry⌋. The venue fee
 * is that of buying them at entry, without the headroom of a quote; gains and total are those of a quote.
 *
 * @param notionalUsdPips Notional, in pips.
 * @param leverageBps Leverage on the step of 2,500 bps.
 * @param entryPricePips Entry price, 1 to 9,999 pips.
 * @param fees Fee schedule of the partner on the market.
 * @throws RangeError at entry price zero, a leverage off the step, or one that no origination tier reaches.
 * @example
 * ```ts
 * const report = feeReportOf({
 *   notionalUsdPips: usdPips(1_000_000n),
 *   leverageBps: leverageBps(30_000n),
 *   entryPricePips: pricePips(5_000n),
 *   fees,
 * });
 * formatUsd(report.totalUserAmountUsdPips);
 * ```
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
