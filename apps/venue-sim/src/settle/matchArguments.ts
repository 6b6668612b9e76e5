import { OrderSide, toVenueOrderStruct } from '@core/vault';
import { cashOf } from '../decimals.ts';
import type { SettlementMatch } from './settlement.ts';

/**
 * Arguments of the exchange's `matchOrders`: what both sides move, which the contract takes exactly or not at all.
 *
 * @param mustRevert Asks for one unit more than there is, so that the exchange's own arithmetic reverts the match.
 */
export function matchArguments(match: SettlementMatch, mustRevert: boolean) {
  const { taker, fills, takerFeeUsdcUnits } = match;
  const tokenUnits = fills.reduce((sum, fill) => sum + fill.tokenUnits, 0n);
  const usdcUnits = fills.reduce((sum, fill) => sum + cashOf(fill.tokenUnits, fill.takerPricePips), 0n);
  const isBuy = taker.side === OrderSide.Buy;
  const makerFillAmounts = fills.map(({ maker, tokenUnits: size, makerPricePips }) =>
    maker.side === OrderSide.Buy ? cashOf(size, makerPricePips) : size,
  );
  const takerReceiveAmount = isBuy ? tokenUnits : usdcUnits;
  return [
    toVenueOrderStruct(taker, taker.signature),
    fills.map(({ maker }) => toVenueOrderStruct(maker, maker.signature)),
    isBuy ? usdcUnits : tokenUnits,
    mustRevert ? takerReceiveAmount + 1n : takerReceiveAmount,
    makerFillAmounts,
    takerFeeUsdcUnits,
    fills.map(() => 0n),
  ] as const;
}
