import type { OrderBook, PricePips, RateBps, TokenUnits } from '@core/pricing';
import type { VenueMarket } from '../market/venueMarket.ts';
import type { Hex, SignedVenueOrder, VenueOrderType } from '../venueOrder.ts';

/** A whole book of one token at one instant, best first on both sides. */
export interface BookSnapshot extends OrderBook {
  readonly conditionId: string;
  readonly tokenId: string;
  /** The venue's own instant of the book. */
  readonly timestampMs: number;
  readonly hash: string;
  /** Null when the answer lacks a field the hash covers; false means the content was damaged on the way. */
  readonly isHashValid: boolean | null;
  readonly minOrderTokenUnits: TokenUnits | null;
  readonly tickPricePips: PricePips | null;
  readonly isNegRisk: boolean | null;
  readonly lastTradePricePips: PricePips | null;
}

export interface CatalogueQuery {
  /** Records per page, 1..500. */
  readonly limit: number;
  /** What the previous page returned as `nextCursor`; absent for the first page. */
  readonly cursor?: string;
  readonly closed?: boolean;
}

/** A record the adapter could not read: it is never listed, and says why. */
export interface UnreadableRecord {
  readonly slug: string | null;
  readonly reason: string;
}

export interface CataloguePage {
  readonly markets: readonly VenueMarket[];
  readonly unreadable: readonly UnreadableRecord[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

export interface PricePoint {
  readonly atMs: number;
  readonly pricePips: PricePips;
}

export interface PriceHistoryQuery {
  readonly tokenId: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Minutes between points. */
  readonly fidelityMinutes: number;
}

/** The largest holder's share of one token, rounded up; null when nobody holds it. */
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
  /** Changes when a match is retried; null while none was sent. */
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
}

/** Which trades to read: one by its id, or all that touch one order. */
export type TradeQuery = { readonly tradeId: string } | { readonly orderId: string };

/**
 * The venue port. Every method throws a `VenueFault` (retryable, terminal or frozen) and nothing else; reads are retried
 * inside while the fault is retryable, a POST only when the venue certainly did not take it.
 */
export interface VenueClient {
  cataloguePage(query: CatalogueQuery): Promise<CataloguePage>;
  /** Null when the venue does not know the slug. */
  market(ticker: string): Promise<VenueMarket | null>;
  /** Null when the venue has no book for the token. */
  book(tokenId: string): Promise<BookSnapshot | null>;
  /** Best price a taker of that side gets now, null when the side is empty. */
  price(tokenId: string, side: 'BUY' | 'SELL'): Promise<PricePips | null>;
  /** Midpoint as the venue computes it, rounded down to a whole pip; null without two sides. */
  midpoint(tokenId: string): Promise<PricePips | null>;
  tickSize(tokenId: string): Promise<PricePips>;
  lastTradePrice(tokenId: string): Promise<PricePips | null>;
  priceHistory(query: PriceHistoryQuery): Promise<readonly PricePoint[]>;
  topHolders(conditionId: string): Promise<readonly TopHolder[]>;
  placeOrder(request: PlaceOrderRequest): Promise<PlacedOrder>;
  /** Null when the venue does not know the order. */
  order(orderId: string): Promise<OrderState | null>;
  trades(query: TradeQuery): Promise<readonly TradeState[]>;
}
