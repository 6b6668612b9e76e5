import type { SimMarket } from '../market/simMarket.ts';
import type { OrderRecord, TradeRecord } from './records.ts';

/** Orders and trades of outside accounts, indexed by id, order and market. */
export class OrderLedger {
  readonly #orders = new Map<string, OrderRecord>();
  readonly #trades = new Map<string, TradeRecord>();
  readonly #tradesByOrder = new Map<string, TradeRecord[]>();
  readonly #restingByMarket = new Map<SimMarket, Set<OrderRecord>>();
  /** GTD orders that can expire. */
  readonly #expiring = new Set<OrderRecord>();
  #lastTradeNumber = 0;

  has(id: string): boolean {
    return this.#orders.has(id);
  }

  /** Ids are compared without regard to case. */
  order(id: string): OrderRecord | undefined {
    return this.#orders.get(id.toLowerCase());
  }

  trade(id: string): TradeRecord | undefined {
    return this.#trades.get(id);
  }

  trades(): Iterable<TradeRecord> {
    return this.#trades.values();
  }

  /** Number of the newest trade; 0 before the first. */
  lastTradeNumber(): number {
    return this.#lastTradeNumber;
  }

  tradesOfOrder(id: string): readonly TradeRecord[] {
    return this.#tradesByOrder.get(id.toLowerCase()) ?? [];
  }

  restingIn(market: SimMarket): OrderRecord[] {
    return [...(this.#restingByMarket.get(market) ?? [])];
  }

  /** Return the GTD orders that have expired at an instant. */
  expiredAt(nowMs: number): OrderRecord[] {
    return [...this.#expiring].filter((record) => record.expirationSeconds * 1000 <= nowMs);
  }

  add(record: OrderRecord): void {
    this.#orders.set(record.id, record);
  }

  addTrade(trade: TradeRecord): void {
    this.#trades.set(trade.id, trade);
    this.#lastTradeNumber = Math.max(this.#lastTradeNumber, trade.number);
    for (const orderId of [trade.takerOrderId, ...trade.makerFills.map((fill) => fill.orderId)]) {
      const orderTrades = this.#tradesByOrder.get(orderId);
      if (orderTrades === undefined) this.#tradesByOrder.set(orderId, [trade]);
      else orderTrades.push(trade);
    }
  }

  /** Record that the order rests in the book. */
  rest(record: OrderRecord): void {
    if (record.kind === 'GTD') this.#expiring.add(record);
    const resting = this.#restingByMarket.get(record.market);
    if (resting === undefined) this.#restingByMarket.set(record.market, new Set([record]));
    else resting.add(record);
  }

  /** Record that the order has left the book. */
  leave(record: OrderRecord): void {
    this.#expiring.delete(record);
    this.#restingByMarket.get(record.market)?.delete(record);
  }
}
