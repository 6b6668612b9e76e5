import type { BookSide, Level, RestingOrder } from './bookOrder.ts';

/** One side of a book: prices sorted best first, a queue of orders (oldest first) at each. */
export class PriceLadder {
  readonly #isBetter: (left: bigint, right: bigint) => boolean;
  readonly #queues = new Map<bigint, RestingOrder[]>();
  /** Best first. */
  readonly #pricesPips: bigint[] = [];

  constructor(side: BookSide) {
    this.#isBetter = side === 'bid' ? (left, right) => left > right : (left, right) => left < right;
  }

  add(order: RestingOrder): void {
    const queue = this.#queues.get(order.bookPricePips);
    if (queue !== undefined) {
      queue.push(order);
      return;
    }
    this.#queues.set(order.bookPricePips, [order]);
    this.#pricesPips.splice(this.#placeOf(order.bookPricePips), 0, order.bookPricePips);
  }

  remove(order: RestingOrder): void {
    const queue = this.#queues.get(order.bookPricePips);
    const index = queue?.indexOf(order) ?? -1;
    if (queue === undefined || index < 0) return;
    queue.splice(index, 1);
    if (queue.length > 0) return;
    this.#queues.delete(order.bookPricePips);
    this.#pricesPips.splice(this.#placeOf(order.bookPricePips), 1);
  }

  /** Return the orders in the sequence of filling. */
  *queue(): Generator<RestingOrder> {
    for (const pricePips of this.#pricesPips) yield* this.#queues.get(pricePips) ?? [];
  }

  levels(): Level[] {
    return this.#pricesPips.map((pricePips) => ({ pricePips, sizeTokenUnits: this.sizeAt(pricePips) }));
  }

  best(): Level | null {
    const pricePips = this.#pricesPips[0];
    return pricePips === undefined ? null : { pricePips, sizeTokenUnits: this.sizeAt(pricePips) };
  }

  sizeAt(pricePips: bigint): bigint {
    return (this.#queues.get(pricePips) ?? []).reduce((sum, order) => sum + order.remainingTokenUnits, 0n);
  }

  /** Return the index of the price, or its insertion index. */
  #placeOf(pricePips: bigint): number {
    let low = 0;
    let high = this.#pricesPips.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const price = this.#pricesPips[middle];
      if (price !== undefined && this.#isBetter(price, pricePips)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
