import { OrderSide, toVenueOrderStruct } from '@core/vault';
import { zeroHash } from 'viem';
import { cashOf } from '../units/decimals.ts';
import type { SettlementFill, SettlementMatch } from './settlement.ts';

/**
 * Return the arguments of the exchange's `matchOrders`. Each maker gives its part at its own price. The taker gives the
 * amount of the match; the exchange refunds the part that a mint does not use.
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
