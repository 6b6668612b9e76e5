import type { BookSide } from '../matching/bookOrder.ts';
import type { OrderRecord, TradeRecord } from '../orders/records.ts';
import type { SimMarket } from './simMarket.ts';

export interface TouchedLevel {
  readonly side: BookSide;
  readonly bookPricePips: bigint;
}

export interface PrintedTrade {
  readonly outcome: 0 | 1;
  readonly side: 'BUY' | 'SELL';
  readonly pricePips: bigint;
  readonly tokenUnits: bigint;
  readonly atMs: number;
}

/** Who is told what happens at the venue; the sockets in a running one. Calls return at once. */
export interface VenueFeed {
  book(market: SimMarket): void;
  priceChange(market: SimMarket, touched: readonly TouchedLevel[]): void;
  lastTrade(market: SimMarket, trade: PrintedTrade): void;
  tickSize(market: SimMarket, oldTickPricePips: bigint): void;
  resolved(market: SimMarket): void;
  order(record: OrderRecord, type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION'): void;
  trade(record: TradeRecord): void;
}
