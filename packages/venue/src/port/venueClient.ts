import type { VenueMarket } from '@core/market';
import type { Hex } from '@core/position';
import type { OrderBook, PricePips, RateBps, TokenUnits } from '@core/pricing';
import type { SignedVenueOrder, VenueOrderType } from './venueOrder.ts';

/** A whole book of one token at one instant, best first on both sides. */
export interface BookSnapshot extends OrderBook {
  readonly conditionId: string;
  readonly tokenId: string;
  /** The venue's own instant of the book. */
  readonly timestampMs: number;
  /** Null when the venue sent none: the book is usable all the same. */
  readonly hash: string | null;
  /** Null when it cannot be checked: no hash, or a field it covers is missing. False: damaged on the way. */
  readonly isHashValid: boolean | null;
  readonly minOrderTokenUnits: TokenUnits | null;
  readonly tickPricePips: PricePips | null;
  readonly isNegRisk: boolean | null;
  readonly lastTradePricePips: PricePips | null;
}

export interface CatalogueQuery {
  /** Records per page, 1..500; the venue may send fewer on any page. */
  readonly limit: number;
  /** `nextCursor` of the previous page; absent for the first page. */
  readonly cursor?: string;
  readonly closed?: boolean;
  /** Only these conditions; all when absent. */
  readonly conditionIds?: readonly string[];
}

/**
 * Causes for which a record is refused. A market without a known version is refused because its exchange and its ids
 * follow from the version alone.
 */
export type RecordProblem = 'malformed' | 'version_missing' | 'version_unknown' | 'not_binary' | 'grid_unreadable';

/** A record the adapter could not read: it is never listed. */
export interface UnreadableRecord {
  readonly slug: string | null;
  readonly problem: RecordProblem;
  readonly reason: string;
}

export interface CataloguePage {
  readonly markets: readonly VenueMarket[];
  readonly unreadable: readonly UnreadableRecord[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** The largest holder's share of one token, rounded up; null when there is no holder. */
export interface TopHolder {
  readonly tokenId: string;
  readonly largestShareBps: RateBps | null;
}

export type PlacedOrderStatus = 'live' | 'matched' | 'delayed' | 'unmatched';

/** The venue's answer to a POST. MATCHED is not money: only what the account holds on chain is a fill. */
export interface PlacedOrder {
  readonly orderId: Hex;
  readonly status: PlacedOrderStatus;
  /** Raw units the maker side pays and receives as the venue claims them; null when it does not say. */
  readonly makingUnits: bigint | null;
  readonly takingUnits: bigint | null;
  readonly tradeIds: readonly string[];
}

export type OrderEvent = 'placement' | 'update' | 'cancellation';

export type OrderStatus = 'live' | 'matched' | 'delayed' | 'unmatched' | 'cancelled';

export interface OrderState {
  readonly orderId: string;
  readonly conditionId: string;
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly status: OrderStatus;
  readonly pricePips: PricePips;
  readonly originalTokenUnits: TokenUnits;
  readonly matchedTokenUnits: TokenUnits;
  readonly tradeIds: readonly string[];
}

export type TradeStatus = 'MATCHED' | 'MINED' | 'CONFIRMED' | 'RETRYING' | 'FAILED';

export interface MakerFill {
  /** Hash of the maker's order in most cases; any text is possible. */
  readonly orderId: string;
  readonly makerAddress: string;
  readonly tokenId: string;
  readonly matchedTokenUnits: TokenUnits;
  readonly pricePips: PricePips;
}

export interface TradeState {
  readonly tradeId: string;
  readonly takerOrderId: string;
  readonly conditionId: string;
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly tokenUnits: TokenUnits;
  readonly pricePips: PricePips;
  readonly status: TradeStatus;
  /** Hash that changes when a match is retried; null while none was sent. Any hexadecimal: not always 32 bytes. */
  readonly transactionHash: Hex | null;
  readonly matchedAtMs: number;
  readonly lastUpdateMs: number;
  readonly makerFills: readonly MakerFill[];
}

export interface PlaceOrderRequest {
  readonly order: SignedVenueOrder;
  readonly orderType: VenueOrderType;
  /** The caller's own account name at the venue. */
  readonly owner: string;
  /** True for a resting order that is refused where it would match at once; false when absent. */
  readonly isPostOnly?: boolean;
}

/** Selection of trades: one by its id, or all of one order. */
export type TradeQuery = { readonly tradeId: string } | { readonly orderId: string };

/**
 * The venue port. Every method throws a `VenueFault` (retryable, terminal or frozen) and nothing else; reads and
 * cancels are retried inside while the fault is retryable, a POST only when the venue certainly did not take it.
 */
export interface VenueClient {
  cataloguePage(query: CatalogueQuery): Promise<CataloguePage>;
  /** Null when the venue has no book for the token. */
  book(tokenId: string): Promise<BookSnapshot | null>;
  /** Books of several tokens in one request; those that the venue has no book for are left out. */
  books(tokenIds: readonly string[]): Promise<readonly BookSnapshot[]>;
  tickSize(tokenId: string): Promise<PricePips>;
  topHolders(conditionId: string): Promise<readonly TopHolder[]>;
  placeOrder(request: PlaceOrderRequest): Promise<PlacedOrder>;
  /** Cancel an order. Returns also when it is unknown or over: its state says what was filled. */
  cancelOrder(orderId: string): Promise<void>;
  /** Null when the venue does not know the order. */
  order(orderId: string): Promise<OrderState | null>;
  trades(query: TradeQuery): Promise<readonly TradeState[]>;
}
