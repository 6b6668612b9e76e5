import type { SimMarket } from '../market/simMarket.ts';
import type { BookSide } from '../matching/bookOrder.ts';
import type { OrderRecord, TradeRecord } from './records.ts';

export interface ChangedLevel {
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

/** Receiver of venue events, such as the sockets. Calls return immediately. */
export interface VenueFeed {
  listed(market: SimMarket): void;
  book(market: SimMarket): void;
  priceChange(market: SimMarket, changed: readonly ChangedLevel[]): void;
  lastTrade(market: SimMarket, trade: PrintedTrade): void;
  tickSize(market: SimMarket, oldTickPricePips: bigint): void;
  resolved(market: SimMarket): void;
  order(record: OrderRecord, type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION'): void;
  /** Publish an order that was killed because it could not fill completely. */
  killed(record: OrderRecord, reason: string): void;
  trade(record: TradeRecord): void;
}
