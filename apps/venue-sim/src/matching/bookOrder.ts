/** Which token of the market, in token order: 0 is YES, 1 is NO. */
export type Outcome = 0 | 1;
export type Side = 'BUY' | 'SELL';
/** GTC and GTD rest, FOK fills whole or dies, FAK fills what it can and dies. */
export type OrderKind = 'GTC' | 'GTD' | 'FOK' | 'FAK';
/** Side of the one book of a market, which is kept in prices of YES. */
export type BookSide = 'bid' | 'ask';

/** An order as the matching engine sees it. Its price is of its own token. */
export interface IncomingOrder {
  readonly id: string;
  /** Account the order trades for. */
  readonly maker: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly limitPricePips: bigint;
  readonly kind: OrderKind;
  /**
   * What ends the order. Purchases that must fill at once are bound by the cash they spend, everything else by size.
   */
  readonly bound: { readonly tokenUnits: bigint } | { readonly usdcUnits: bigint };
  /** Largest size that may fill now; absent means no other limit than the book. */
  readonly maximumFillTokenUnits?: bigint;
}

/** An order waiting in the book. */
export interface RestingOrder {
  readonly id: string;
  readonly maker: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly bookSide: BookSide;
  /** Price of YES at which it stands. */
  readonly bookPricePips: bigint;
  remainingTokenUnits: bigint;
}

/** One price of a book side and all that stands at it. */
export interface Level {
  readonly pricePips: bigint;
  readonly sizeTokenUnits: bigint;
}

/** One incoming order meeting one resting order, at the resting order's price. */
export interface Fill {
  readonly resting: RestingOrder;
  readonly tokenUnits: bigint;
  /** Price of YES. */
  readonly bookPricePips: bigint;
  /** Price of the incoming order's own token. */
  readonly takerPricePips: bigint;
}

export interface Placement {
  readonly fills: readonly Fill[];
  /** `matched` wholly, `live` with a rest in the book, `unmatched`: nothing rests and not all was filled. */
  readonly status: 'matched' | 'live' | 'unmatched';
  readonly restingTokenUnits: bigint;
}

/** Price of a token's own price on the book of YES, and back: the map is its own inverse. */
export const toBookPrice = (outcome: Outcome, pricePips: bigint): bigint =>
  outcome === 0 ? pricePips : 10_000n - pricePips;

/** Buying NO is selling YES: both stand on the ask side. */
export const bookSideOf = (outcome: Outcome, side: Side): BookSide =>
  (side === 'BUY') === (outcome === 0) ? 'bid' : 'ask';
