import { hashVenueOrder, type VenueDomain } from '@core/vault';
import type { Address, Hex } from 'viem';
import type { SimMarket } from '../market/simMarket.ts';
import type { IncomingOrder, OrderKind, Placement } from '../matching/bookOrder.ts';
import { type MakerRules, makerStatusOf } from '../settlement/makerCheck.ts';
import type { Settlement, SignedOrder } from '../settlement/settlement.ts';
import type { SimulatedAccounts } from '../settlement/simulatedAccounts.ts';
import type { BalanceCache } from './balanceCache.ts';
import { DelayedOrders } from './delayedOrders.ts';
import { OrderLedger } from './orderLedger.ts';
import { type OrderTerms, orderTermsOf } from './orderTerms.ts';
import type { OrderRecord } from './records.ts';
import type { SettlementQueue } from './settlementQueue.ts';
import { TradeBooking } from './tradeBooking.ts';
import type { VenueFeed } from './venueFeed.ts';

export interface SubmittedOrder {
  readonly order: SignedOrder;
  readonly kind: OrderKind;
  readonly owner: string;
  readonly expirationSeconds: number;
  /** True for a post-only order, rejected when it would match immediately. */
  readonly isPostOnly: boolean;
  /** Account of the request's key; null when the venue requires no key. */
  readonly keyOwner: Address | null;
}

export type SubmitAnswer =
  | { readonly kind: 'accepted'; readonly record: OrderRecord; readonly status: Placement['status'] | 'delayed' }
  | { readonly kind: 'refused'; readonly orderId: Hex | null; readonly text: string };

const killedText = "order couldn't be fully filled. FOK orders are fully filled or killed.";
const noMatchText =
  'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.';
const crossingText = 'invalid post-only order: order crosses book';

/** Order entry for outside accounts: checks, matching, cancels. Matches are booked as trades. */
export class OrderMatching {
  readonly ledger = new OrderLedger();
  readonly #delayed = new DelayedOrders();
  readonly #marketOfToken: (tokenId: bigint) => SimMarket | undefined;
  readonly #makers: MakerRules;
  readonly #domain: VenueDomain;
  readonly #balances: BalanceCache | null;
  readonly #settlement: Settlement;
  readonly #feed: VenueFeed;
  readonly #booking: TradeBooking;
  readonly #nowMs: () => number;

  constructor(parameters: {
    readonly marketOfToken: (tokenId: bigint) => SimMarket | undefined;
    readonly makers: MakerRules;
    /** Null when the venue reads balances from the settlement layer. */
    readonly balances: BalanceCache | null;
    readonly settlement: Settlement;
    readonly accounts: SimulatedAccounts;
    readonly feed: VenueFeed;
    readonly queue: SettlementQueue;
    readonly nowMs: () => number;
  }) {
    this.#marketOfToken = parameters.marketOfToken;
    this.#makers = parameters.makers;
    this.#domain = parameters.makers.domain;
    this.#balances = parameters.balances;
    this.#settlement = parameters.settlement;
    this.#feed = parameters.feed;
    this.#nowMs = parameters.nowMs;
    this.#booking = new TradeBooking({ ...parameters, ledger: this.ledger });
  }

  async submit(submitted: SubmittedOrder): Promise<SubmitAnswer> {
    const { order } = submitted;
    const id = hashVenueOrder(order, this.#domain);
    const refuse = (text: string): SubmitAnswer => ({ kind: 'refused', orderId: id, text });
    const early = this.#refusalOf(submitted, id);
    if (early !== null) return refuse(early);
    const makerStatus = await makerStatusOf(this.#makers, order, submitted.keyOwner);
    if (makerStatus.kind === 'refused') return refuse(makerStatus.text);
    const balanceRefusal =
      this.#balances?.refusalOf(order) ?? (await this.#settlement.refusalOf(order, id, makerStatus.kind === 'signed'));
    if (balanceRefusal !== null) return refuse(balanceRefusal);
    // The market may have changed during the chain reads.
    const late = this.#refusalOf(submitted, id);
    if (late !== null) return refuse(late);
    return this.#place(submitted, id);
  }

  #refusalOf(submitted: SubmittedOrder, id: Hex): string | null {
    const { order, kind, expirationSeconds } = submitted;
    if (this.ledger.has(id)) return 'order is invalid. Duplicated. Same order has already been placed';
    const market = this.#marketOfToken(order.tokenId);
    if (market === undefined) return 'No orderbook exists for the requested token id';
    if (market.definition.isNegRisk) return 'invalid order: neg-risk tokens trade on another exchange';
    if (market.definition.version === 'v2') return 'invalid order: position ids trade on another exchange';
    if (market.stage !== 'trading') return 'market is closed: not accepting orders';
    if (!market.isListed) return 'the market is not yet ready to process new orders';
    const expires = expirationSeconds * 1000;
    if (kind === 'GTD' && expires <= this.#nowMs()) return 'order is invalid. Invalid expiration';
    const terms = orderTermsOf(order, { kind, tickPricePips: market.tickPricePips });
    if (typeof terms === 'string') return terms;
    if (!submitted.isPostOnly) return null;
    if (kind === 'FOK' || kind === 'FAK') return 'Invalid order payload';
    return crossesBook(market, order.tokenId, terms) ? crossingText : null;
  }

  #place(submitted: SubmittedOrder, id: Hex): SubmitAnswer {
    const { order, kind, owner, expirationSeconds } = submitted;
    const refuse = (text: string): SubmitAnswer => ({ kind: 'refused', orderId: id, text });
    const market = this.#marketOfToken(order.tokenId);
    const rules = { kind, tickPricePips: market?.tickPricePips ?? 0n };
    const terms = market === undefined ? 'No orderbook exists' : orderTermsOf(order, rules);
    if (market === undefined || typeof terms === 'string') return refuse(String(terms));
    const record: OrderRecord = {
      id,
      owner,
      order,
      market,
      outcome: market.tokenIdOf(0) === order.tokenId ? 0 : 1,
      side: terms.side,
      kind,
      pricePips: terms.pricePips,
      originalTokenUnits: terms.tokenUnits,
      createdMs: this.#nowMs(),
      expirationSeconds,
      status: 'LIVE',
      matchedTokenUnits: 0n,
      matchedUsdcUnits: 0n,
    };
    const delayMs = market.effects.takerDelayMsAt(this.#nowMs());
    if (delayMs > 0 && crossesBook(market, order.tokenId, terms)) {
      record.status = 'DELAYED';
      this.ledger.add(record);
      this.#delayed.add(record, record.createdMs + delayMs);
      this.#feed.order(record, 'PLACEMENT');
      return { kind: 'accepted', record, status: 'delayed' };
    }
    const placement = market.book.place(this.#incomingOf(record));
    if (placement.status === 'unmatched' && placement.fills.length === 0) {
      // The order leaves no trace and may be sent again, as at the real venue.
      if (kind !== 'FOK') return refuse(noMatchText);
      this.#feed.killed(record, killedText);
      return refuse(killedText);
    }
    this.ledger.add(record);
    this.#recordPlacement(record, placement);
    return { kind: 'accepted', record, status: placement.status === 'unmatched' ? 'matched' : placement.status };
  }

  #recordPlacement(record: OrderRecord, placement: Placement): void {
    record.status = placement.status === 'live' ? 'LIVE' : 'MATCHED';
    if (record.status === 'LIVE') {
      this.ledger.rest(record);
      this.#feed.order(record, 'PLACEMENT');
    }
    if (placement.fills.length > 0) this.#booking.bookExternal(record, placement.fills);
    this.#publish(record.market);
  }

  /** Match the orders whose delay is over. One that finds no match then keeps its record, as unmatched. */
  matchDelayed(): void {
    for (const record of this.#delayed.takeDue(this.#nowMs())) {
      const { market } = record;
      const placement = market.stage === 'trading' ? market.book.place(this.#incomingOf(record)) : null;
      if (placement === null || (placement.status === 'unmatched' && placement.fills.length === 0)) {
        record.status = 'UNMATCHED';
        this.#feed.order(record, 'UPDATE');
      } else this.#recordPlacement(record, placement);
    }
  }

  #incomingOf(record: OrderRecord): IncomingOrder {
    const partial = record.market.effects.takePartial();
    const maximum = partial === null ? null : (record.originalTokenUnits * BigInt(partial.fillPct)) / 100n;
    // The venue reads a purchase that must fill immediately in dollars, all others in shares.
    const isCashBound = record.side === 'BUY' && (record.kind === 'FOK' || record.kind === 'FAK');
    return {
      id: record.id,
      maker: record.order.maker,
      outcome: record.outcome,
      side: record.side,
      limitPricePips: record.pricePips,
      kind: record.kind,
      bound: isCashBound ? { usdcUnits: record.order.makerAmount } : { tokenUnits: record.originalTokenUnits },
      ...(maximum === null ? {} : { maximumFillTokenUnits: maximum - (maximum % 10_000n) }),
    };
  }

  /** Restore an order of an earlier run. A resting order rests again, ahead of all new orders. */
  restore(record: OrderRecord): void {
    this.ledger.add(record);
    if (record.status === 'DELAYED') this.#delayed.add(record, record.createdMs);
    if (record.status !== 'LIVE') return;
    if (record.market.stage !== 'trading') {
      record.status = 'CANCELED';
      return;
    }
    const remainingTokenUnits = record.originalTokenUnits - record.matchedTokenUnits;
    record.market.book.place({ ...this.#incomingOf(record), bound: { tokenUnits: remainingTokenUnits } });
    this.ledger.rest(record);
  }

  /** Place an order of a simulated maker or taker. */
  placeSimulated(market: SimMarket, incoming: IncomingOrder): Placement {
    const placement = market.book.place(incoming);
    this.#booking.bookSimulated(market, incoming, placement.fills);
    return placement;
  }

  /** Remove an outside order from the book; null when it neither rests nor is delayed. */
  cancel(id: string): OrderRecord | null {
    const record = this.ledger.order(id);
    if (record === undefined) return null;
    if (!this.#delayed.remove(record) && !record.market.book.cancel(record.id)) return null;
    record.status = 'CANCELED';
    this.ledger.leave(record);
    this.#feed.order(record, 'CANCELLATION');
    this.#publish(record.market);
    return record;
  }

  /** Expire GTD orders that are due. */
  expire(): void {
    for (const record of this.ledger.expiredAt(this.#nowMs())) this.cancel(record.id);
  }

  /** Publish the changed levels. */
  #publish(market: SimMarket): void {
    const changed = market.book.drainChanged();
    if (changed.length === 0) return;
    market.markChanged(this.#nowMs());
    this.#feed.priceChange(market, changed);
  }
}

/** Return true for an order that would match the best opposite price immediately. */
function crossesBook(market: SimMarket, tokenId: bigint, { side, pricePips }: OrderTerms): boolean {
  const outcome = market.tokenIdOf(0) === tokenId ? 0 : 1;
  const best = side === 'BUY' ? market.bestAskPips(outcome) : market.bestBidPips(outcome);
  if (best === null) return false;
  return side === 'BUY' ? pricePips >= best : pricePips <= best;
}
