/** Token of a market, in token order: 0 is YES, 1 is NO. */
export type Outcome = 0 | 1;
export type Side = 'BUY' | 'SELL';
/** Time in force: GTC and GTD rest, FOK fills completely or not at all, FAK fills what it can. */
export type OrderKind = 'GTC' | 'GTD' | 'FOK' | 'FAK';
/** Side of a market's book, in prices of YES. */
export type BookSide = 'bid' | 'ask';

/** Order in the matching engine. Its price is that of its own token. */
export interface IncomingOrder {
  readonly id: string;
  /** Account the order trades for. */
  readonly maker: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly limitPricePips: bigint;
  readonly kind: OrderKind;
  /**
   * Limit of the order. Purchases that must fill immediately are limited by cash, all others by size.
   */
  readonly bound: { readonly tokenUnits: bigint } | { readonly usdcUnits: bigint };
  /** Maximum fill of this match; unlimited when absent. */
  readonly maximumFillTokenUnits?: bigint;
}

/** An order waiting in the book. */
export interface RestingOrder {
  readonly id: string;
  readonly maker: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly bookSide: BookSide;
  /** Price of YES in the book. */
  readonly bookPricePips: bigint;
  remainingTokenUnits: bigint;
}

/** Price level of a book side with its total size. */
export interface Level {
  readonly pricePips: bigint;
  readonly sizeTokenUnits: bigint;
}

/** Match of an incoming order with a resting order, at the resting order's price. */
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
  /** `matched` completely, `live` with a remainder in the book, or `unmatched` without a resting remainder. */
  readonly status: 'matched' | 'live' | 'unmatched';
  readonly restingTokenUnits: bigint;
}

/** Convert a token's own price to a price of YES, and back. The function is its own inverse. */
export const toBookPrice = (outcome: Outcome, pricePips: bigint): bigint =>
  outcome === 0 ? pricePips : 10_000n - pricePips;

/** Return the book side of an order. Buying NO is selling YES: both are asks. */
export const bookSideOf = (outcome: Outcome, side: Side): BookSide =>
  (side === 'BUY') === (outcome === 0) ? 'bid' : 'ask';
