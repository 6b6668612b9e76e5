import { cashOf, onePricePips, wholeSteps } from '../units/decimals.ts';
import {
  type BookSide,
  bookSideOf,
  type Fill,
  type IncomingOrder,
  type Level,
  type Placement,
  type RestingOrder,
  toBookPrice,
} from './bookOrder.ts';
import { PriceLadder } from './priceLadder.ts';

/**
 * Order book of a market with price-time priority, in prices of YES: a bid for NO at p is an ask for YES at 1 − p.
 * A match with the same token is a transfer. A match of two buyers mints a pair, one of two sellers merges a pair.
 */
export class MatchingBook {
  readonly #bids = new PriceLadder('bid');
  readonly #asks = new PriceLadder('ask');
  readonly #orders = new Map<string, RestingOrder>();
  #changed = new Set<string>();

  #ladder(side: BookSide): PriceLadder {
    return side === 'bid' ? this.#bids : this.#asks;
  }

  order(id: string): RestingOrder | undefined {
    return this.#orders.get(id);
  }

  /** Best first, in prices of YES. */
  levels(side: BookSide): Level[] {
    return this.#ladder(side).levels();
  }

  bestPricePips(side: BookSide): bigint | null {
    return this.#ladder(side).best()?.pricePips ?? null;
  }

  sizeAt(side: BookSide, bookPricePips: bigint): bigint {
    return this.#ladder(side).sizeAt(bookPricePips);
  }

  /** Levels whose size changed since the last call. */
  drainChanged(): { readonly side: BookSide; readonly bookPricePips: bigint }[] {
    const changed = [...this.#changed].map((key) => {
      const [side, price] = key.split(':');
      return { side: side === 'bid' ? ('bid' as const) : ('ask' as const), bookPricePips: BigInt(price ?? '0') };
    });
    this.#changed = new Set();
    return changed;
  }

  /**
   * Fill the crossing orders by price, then by age. A fill-or-kill order that cannot be filled
   * whole leaves the book untouched. The size of a fill is a whole number of 0.01 tokens.
   */
  place(order: IncomingOrder): Placement {
    const plan = this.#plan(order);
    if (order.kind === 'FOK' && !plan.isComplete) {
      return { fills: [], status: 'unmatched', restingTokenUnits: 0n };
    }
    for (const fill of plan.fills) this.#take(fill);
    if (plan.isComplete) return { fills: plan.fills, status: 'matched', restingTokenUnits: 0n };
    if (order.kind === 'FOK' || order.kind === 'FAK' || !('tokenUnits' in order.bound)) {
      return { fills: plan.fills, status: 'unmatched', restingTokenUnits: 0n };
    }
    const restingTokenUnits = order.bound.tokenUnits - plan.filledTokenUnits;
    this.#rest(order, restingTokenUnits);
    return { fills: plan.fills, status: 'live', restingTokenUnits };
  }

  /** Remove an order; false when it is not in the book. */
  cancel(id: string): boolean {
    const order = this.#orders.get(id);
    if (order === undefined) return false;
    this.#orders.delete(id);
    this.#ladder(order.bookSide).remove(order);
    this.#markChanged(order.bookSide, order.bookPricePips);
    return true;
  }

  /** Reduce the size of an order. It keeps its position in the queue. */
  shrink(id: string, remainingTokenUnits: bigint): void {
    const order = this.#orders.get(id);
    if (order === undefined || remainingTokenUnits >= order.remainingTokenUnits) return;
    order.remainingTokenUnits = remainingTokenUnits;
    this.#markChanged(order.bookSide, order.bookPricePips);
  }

  #plan(order: IncomingOrder): { fills: Fill[]; filledTokenUnits: bigint; isComplete: boolean } {
    const side = bookSideOf(order.outcome, order.side);
    const opposite = this.#ladder(side === 'bid' ? 'ask' : 'bid');
    const limitBookPips = toBookPrice(order.outcome, order.limitPricePips);
    const fills: Fill[] = [];
    let filledTokenUnits = 0n;
    let spentUsdcUnits = 0n;
    for (const resting of opposite.queue()) {
      const crosses = side === 'bid' ? resting.bookPricePips <= limitBookPips : resting.bookPricePips >= limitBookPips;
      if (!crosses) break;
      const takerPricePips = toBookPrice(order.outcome, resting.bookPricePips);
      const openTokenUnits =
        'tokenUnits' in order.bound
          ? order.bound.tokenUnits - filledTokenUnits
          : wholeSteps(((order.bound.usdcUnits - spentUsdcUnits) * onePricePips) / takerPricePips);
      // A purchase limited by cash is complete when its change buys less than 0.01 tokens.
      if (openTokenUnits <= 0n) return { fills, filledTokenUnits, isComplete: true };
      const capacityTokenUnits =
        order.maximumFillTokenUnits === undefined ? openTokenUnits : order.maximumFillTokenUnits - filledTokenUnits;
      const tokenUnits = [resting.remainingTokenUnits, openTokenUnits, capacityTokenUnits].reduce((a, b) =>
        a < b ? a : b,
      );
      if (tokenUnits <= 0n) break;
      fills.push({ resting, tokenUnits, bookPricePips: resting.bookPricePips, takerPricePips });
      filledTokenUnits += tokenUnits;
      spentUsdcUnits += cashOf(tokenUnits, takerPricePips);
    }
    const rest =
      'tokenUnits' in order.bound
        ? order.bound.tokenUnits - filledTokenUnits
        : wholeSteps(((order.bound.usdcUnits - spentUsdcUnits) * onePricePips) / order.limitPricePips);
    return { fills, filledTokenUnits, isComplete: rest <= 0n };
  }

  #take(fill: Fill): void {
    const { resting } = fill;
    resting.remainingTokenUnits -= fill.tokenUnits;
    this.#markChanged(resting.bookSide, resting.bookPricePips);
    if (resting.remainingTokenUnits > 0n) return;
    this.#orders.delete(resting.id);
    this.#ladder(resting.bookSide).remove(resting);
  }

  #rest(order: IncomingOrder, remainingTokenUnits: bigint): void {
    const bookSide = bookSideOf(order.outcome, order.side);
    const resting: RestingOrder = {
      id: order.id,
      maker: order.maker,
      outcome: order.outcome,
      side: order.side,
      bookSide,
      bookPricePips: toBookPrice(order.outcome, order.limitPricePips),
      remainingTokenUnits,
    };
    this.#orders.set(order.id, resting);
    this.#ladder(bookSide).add(resting);
    this.#markChanged(bookSide, resting.bookPricePips);
  }

  #markChanged(side: BookSide, bookPricePips: bigint): void {
    this.#changed.add(`${side}:${bookPricePips}`);
  }
}
