import { OrderSide, toVenueOrderStruct } from '@core/vault';
import { zeroHash } from 'viem';
import { cashOf } from '../units/decimals.ts';
import type { SettlementFill, SettlementMatch } from './settlement.ts';

/**
 * Arguments of the exchange's `matchOrders`. Each maker gives its part at its own price; the taker gives what they take
 * of it, or first more where the match says so: the exchange hands back what a mint did not need.
 *
 * @param mustRevert Names another condition than the tokens', so that the exchange reverts the match.
 */
export function matchArguments(match: SettlementMatch, mustRevert: boolean) {
  const { market, taker, fills, takerFeeUsdcUnits, takerGives } = match;
  return [
    mustRevert ? zeroHash : market.conditionId,
    toVenueOrderStruct(taker, taker.signature),
    fills.map(({ maker }) => toVenueOrderStruct(maker, maker.signature)),
    takerGives,
    fills.map(makerGivesOf),
    takerFeeUsdcUnits,
    fills.map(({ feeUsdcUnits }) => feeUsdcUnits),
  ] as const;
}

function makerGivesOf({ maker, tokenUnits, makerPricePips }: SettlementFill): bigint {
  return maker.side === OrderSide.Buy ? cashOf(tokenUnits, makerPricePips) : tokenUnits;
}
