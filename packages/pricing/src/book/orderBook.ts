import type { PricePips, TokenUnits, UsdcUnits } from '../units/quantity.ts';

/** Price level of a book with the size of all orders at it. Price 1 to 9,999 pips, size above zero. */
export interface BookLevel {
  readonly pricePips: PricePips;
  readonly sizeTokenUnits: TokenUnits;
}

/** Book of one outcome token, both sides best first: bids from the highest, asks from the lowest. */
export interface OrderBook {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

/** Part of a walk that one level fills. */
export interface BookFill {
  readonly pricePips: PricePips;
  readonly tokenUnits: TokenUnits;
  readonly usdcUnits: UsdcUnits;
}
