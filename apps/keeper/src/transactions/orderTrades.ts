import { isZero } from '@core/pricing';
import { isVenueFault, type OrderState, type TradeState, type VenueClient } from '@core/venue';

/**
 * Trades of accepted orders. The venue names them when it accepts an order, and may not return the order later. Nothing
 * else depends on the names: a process without them reads the order, and the chain.
 */
export class OrderTrades {
  readonly #venue: Pick<VenueClient, 'order' | 'trades'>;
  readonly #tradeIds = new Map<string, readonly string[]>();

  constructor(venue: Pick<VenueClient, 'order' | 'trades'>) {
    this.#venue = venue;
  }

  /** Record the trades that the venue named when it accepted an order. */
  record(orderHash: string, tradeIds: readonly string[]): void {
    if (tradeIds.length > 0) this.#tradeIds.set(orderHash, tradeIds);
  }

  forget(orderHash: string): void {
    this.#tradeIds.delete(orderHash);
  }

  /** Return the venue's order; null when it has none, or fails to return it while its trades are known. */
  async stateOf(orderHash: string): Promise<OrderState | null> {
    return this.#venue.order(orderHash).catch((error: unknown) => {
      if (this.#tradeIds.has(orderHash) && isVenueFault(error)) return null;
      throw error;
    });
  }

  /** Return the trades of an order. When the venue does not return the order, use those named when it was accepted. */
  async of(orderId: string, state: OrderState | null): Promise<readonly TradeState[]> {
    if (state !== null) return this.#venue.trades({ orderId });
    const tradeIds = this.#tradeIds.get(orderId) ?? [];
    return (await Promise.all(tradeIds.map((tradeId) => this.#venue.trades({ tradeId })))).flat();
  }
}

/** True for an order that the venue ended without a match. */
export function isOverUnfilled({ status, matchedTokenUnits, tradeIds }: OrderState): boolean {
  const isOver = status === 'cancelled' || status === 'unmatched';
  return isOver && isZero(matchedTokenUnits) && tradeIds.length === 0;
}

/** True while a match may still fail or be sent again. */
export function isUnsettled({ status }: TradeState): boolean {
  return status !== 'CONFIRMED' && status !== 'FAILED';
}
