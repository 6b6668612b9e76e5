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
 * The one book of a market: price-time priority in prices of YES, where buying NO at p stands as selling YES at 1 − p.
 * An incoming order can so meet a seller of its own token (a transfer), a buyer of the other one (a pair is minted) or
 * a seller of the other one (a pair is merged).
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
   * Fills what crosses, best price first and oldest first within a price. A fill-or-kill order that cannot be filled
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

  /** Takes an order out; false when it is not in the book. */
  cancel(id: string): boolean {
    const order = this.#orders.get(id);
    if (order === undefined) return false;
    this.#orders.delete(id);
    this.#ladder(order.bookSide).remove(order);
    this.#markChanged(order.bookSide, order.bookPricePips);
    return true;
  }

  /** Makes an order smaller in place: it keeps its place in the queue. */
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
      const wanted =
        'tokenUnits' in order.bound
          ? order.bound.tokenUnits - filledTokenUnits
          : wholeSteps(((order.bound.usdcUnits - spentUsdcUnits) * onePricePips) / takerPricePips);
      // A purchase bound by cash is done when its change no longer buys 0.01 token.
      if (wanted <= 0n) return { fills, filledTokenUnits, isComplete: true };
      const room = order.maximumFillTokenUnits === undefined ? wanted : order.maximumFillTokenUnits - filledTokenUnits;
      const tokenUnits = [resting.remainingTokenUnits, wanted, room].reduce((a, b) => (a < b ? a : b));
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
