import { OrderSide } from '@core/vault';
import type { Side } from '../matching/bookOrder.ts';
import type { SignedOrder } from '../settlement/settlement.ts';
import { onePricePips, oneTokenUnits, sizeStepTokenUnits } from '../units/decimals.ts';

/** Smallest order the venue takes, in token units. */
const minimumOrderTokenUnits = 5n * oneTokenUnits;

/** Price and size of a signed order. */
export interface OrderTerms {
  readonly side: Side;
  readonly pricePips: bigint;
  readonly tokenUnits: bigint;
}

/** Reads an order's amounts; a text is the venue's reason why they cannot be traded. */
export function orderTermsOf(order: SignedOrder, tickPricePips: bigint): OrderTerms | string {
  const side: Side = order.side === OrderSide.Buy ? 'BUY' : 'SELL';
  const [usdcUnits, tokenUnits] =
    side === 'BUY' ? [order.makerAmount, order.takerAmount] : [order.takerAmount, order.makerAmount];
  if (usdcUnits <= 0n || tokenUnits <= 0n) return 'order is invalid. Amounts must be positive';
  if (tokenUnits % sizeStepTokenUnits !== 0n) return 'order is invalid. Size accuracy is two decimals';
  if (tokenUnits < minimumOrderTokenUnits) return 'order is invalid. Size lower than the minimum: 5';
  const scaled = usdcUnits * onePricePips;
  const pricePips = scaled / tokenUnits;
  if (scaled % tokenUnits !== 0n || pricePips % tickPricePips !== 0n) {
    return 'order is invalid. Price breaks minimum tick size rules';
  }
  if (pricePips < tickPricePips || pricePips > onePricePips - tickPricePips) {
    return 'order is invalid. Price breaks minimum tick size rules';
  }
  return { side, pricePips, tokenUnits };
}
