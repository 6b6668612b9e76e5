import { type OriginationFee, originationFeeOf } from '../fees/originationFee.ts';
import type { FeeSchedule } from '../fees/schedule.ts';
import { partnerTradingFeeOf, venueTradingFeeBpsOf } from '../fees/venueFee.ts';
import type { SnappedSize } from '../size/snapQuote.ts';
import { add } from '../units/arithmetic.ts';
import { toUsdPips } from '../units/conversion.ts';
import type { LeverageBps, RateBps, TokenUnits, UsdcUnits, UsdPips } from '../units/quantity.ts';
import { type MaxGain, maxGainOf } from './maxGain.ts';

/** Cost of an opening to the user, in total and in parts, and its maximum gain. */
export interface OpeningCost extends OriginationFee, MaxGain {
  /** Venue part of the opening trading fee. */
  readonly venueFeeUsdcUnits: UsdcUnits;
  readonly venueTradingFeeBps: RateBps;
  readonly partnerTradingFeeBps: RateBps;
  readonly partnerTradingFeeUsdcUnits: UsdcUnits;
  readonly partnerTradingFeeUsdPips: UsdPips;
  /** Venue part plus partner part. */
  readonly expectedOpenTradingFeeUsdcUnits: UsdcUnits;
  readonly expectedOpenTradingFeeUsdPips: UsdPips;
  /** Collateral plus origination fee plus opening trading fee. */
  readonly totalUserAmountUsdcUnits: UsdcUnits;
  readonly totalUserAmountUsdPips: UsdPips;
  readonly lifetimeFeeAprBps: RateBps;
  readonly liquidationFeeBps: RateBps;
}

/** Add up the cost of a size whose venue fee is known. Quotes and fee reports share it. Pips of fees are rounded up. */
export function openingCostOf({
  size,
  leverageBps,
  tokenUnits,
  venueFeeUsdcUnits,
  fees,
}: {
  readonly size: SnappedSize;
  readonly leverageBps: LeverageBps;
  readonly tokenUnits: TokenUnits;
  readonly venueFeeUsdcUnits: UsdcUnits;
  readonly fees: FeeSchedule;
}): OpeningCost {
  const { notionalUsdcUnits } = size;
  const origination = originationFeeOf({ notionalUsdcUnits, leverageBps, terms: fees });
  const { originationFeeUsdcUnits } = origination;
  const partnerTradingFeeUsdcUnits = partnerTradingFeeOf(notionalUsdcUnits, fees.partnerTradingFeeBps);
  const expectedOpenTradingFeeUsdcUnits = add(venueFeeUsdcUnits, partnerTradingFeeUsdcUnits);
  const paidFees = add(originationFeeUsdcUnits, expectedOpenTradingFeeUsdcUnits);
  const totalUserAmountUsdcUnits = add(size.collateralUsdcUnits, paidFees);
  const gain = maxGainOf({ tokenUnits, notionalUsdcUnits, originationFeeUsdcUnits, expectedOpenTradingFeeUsdcUnits });
  // Written out: spreading two objects into a third costs more than computing them.
  return {
    originationFeeBps: origination.originationFeeBps,
    originationFeeUsdcUnits,
    originationFeeUsdPips: origination.originationFeeUsdPips,
    protocolOriginationFeeBps: origination.protocolOriginationFeeBps,
    protocolOriginationFeeUsdcUnits: origination.protocolOriginationFeeUsdcUnits,
    protocolOriginationFeeUsdPips: origination.protocolOriginationFeeUsdPips,
    partnerOriginationFeeBps: origination.partnerOriginationFeeBps,
    partnerOriginationFeeUsdcUnits: origination.partnerOriginationFeeUsdcUnits,
    partnerOriginationFeeUsdPips: origination.partnerOriginationFeeUsdPips,
    grossMaxGainUsdcUnits: gain.grossMaxGainUsdcUnits,
    grossMaxGainUsdPips: gain.grossMaxGainUsdPips,
    netMaxGainUsdcUnits: gain.netMaxGainUsdcUnits,
    netMaxGainUsdPips: gain.netMaxGainUsdPips,
    venueFeeUsdcUnits,
    venueTradingFeeBps: venueTradingFeeBpsOf(fees.venue),
    partnerTradingFeeBps: fees.partnerTradingFeeBps,
    partnerTradingFeeUsdcUnits,
    partnerTradingFeeUsdPips: toUsdPips(partnerTradingFeeUsdcUnits, 'up'),
    expectedOpenTradingFeeUsdcUnits,
    expectedOpenTradingFeeUsdPips: toUsdPips(expectedOpenTradingFeeUsdcUnits, 'up'),
    totalUserAmountUsdcUnits,
    totalUserAmountUsdPips: toUsdPips(totalUserAmountUsdcUnits, 'up'),
    lifetimeFeeAprBps: fees.lifetimeFeeAprBps,
    liquidationFeeBps: fees.liquidationFeeBps,
  };
}
