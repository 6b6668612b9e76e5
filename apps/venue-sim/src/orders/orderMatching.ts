import { hashVenueOrder, type VenueDomain } from '@core/vault';
import type { Hex } from 'viem';
import type { SimMarket } from '../market/simMarket.ts';
import type { IncomingOrder, OrderKind, Placement } from '../matching/bookOrder.ts';
import type { Settlement, SignedOrder } from '../settlement/settlement.ts';
import type { SimulatedAccounts } from '../settlement/simulatedAccounts.ts';
import { OrderLedger } from './orderLedger.ts';
import { orderTermsOf } from './orderTerms.ts';
import type { OrderRecord } from './records.ts';
import type { SettlementQueue } from './settlementQueue.ts';
import { TradeBooking } from './tradeBooking.ts';
import type { VenueFeed } from './venueFeed.ts';

export interface SubmittedOrder {
  readonly order: SignedOrder;
  readonly kind: OrderKind;
  readonly owner: string;
  readonly expirationSeconds: number;
}

export type SubmitAnswer =
  | { readonly kind: 'accepted'; readonly record: OrderRecord; readonly status: Placement['status'] }
  | { readonly kind: 'refused'; readonly orderId: Hex | null; readonly text: string };

const killedText = "order couldn't be fully filled. FOK orders are fully filled or killed";
const noMatchText = 'no orders found to match with FAK order. FAK orders are partially filled or killed';

/** Checks orders from outside, matches them with the book and cancels them; what matched is booked as trades. */
export class OrderMatching {
  readonly ledger = new OrderLedger();
  readonly #marketOfToken: (tokenId: bigint) => SimMarket | undefined;
  readonly #domain: VenueDomain;
  readonly #settlement: Settlement;
  readonly #feed: VenueFeed;
  readonly #booking: TradeBooking;
  readonly #nowMs: () => number;

  constructor(parameters: {
    readonly marketOfToken: (tokenId: bigint) => SimMarket | undefined;
    readonly domain: VenueDomain;
    readonly settlement: Settlement;
    readonly accounts: SimulatedAccounts;
    readonly feed: VenueFeed;
    readonly queue: SettlementQueue;
    readonly nowMs: () => number;
  }) {
    this.#marketOfToken = parameters.marketOfToken;
    this.#domain = parameters.domain;
    this.#settlement = parameters.settlement;
    this.#feed = parameters.feed;
    this.#nowMs = parameters.nowMs;
    this.#booking = new TradeBooking({ ...parameters, ledger: this.ledger });
  }

  async submit(submitted: SubmittedOrder): Promise<SubmitAnswer> {
    const { order } = submitted;
    const id = hashVenueOrder(order, this.#domain);
    const refused = (text: string): SubmitAnswer => ({ kind: 'refused', orderId: id, text });
    const early = this.#refusalOf(submitted, id);
    if (early !== null) return refused(early);
    const chainRefusal = await this.#settlement.refusalOf(order, id);
    if (chainRefusal !== null) return refused(chainRefusal);
    // The market may have moved while the chain was asked.
    const late = this.#refusalOf(submitted, id);
    if (late !== null) return refused(late);
    return this.#place(submitted, id);
  }

  #refusalOf(submitted: SubmittedOrder, id: Hex): string | null {
    const { order, kind, expirationSeconds } = submitted;
    if (this.ledger.has(id)) return 'order is invalid. Duplicated. Same order has already been placed';
    const market = this.#marketOfToken(order.tokenId);
    if (market === undefined) return 'No orderbook exists for the requested token id';
    if (market.definition.isNegRisk) return 'invalid order: neg-risk tokens trade on another exchange';
    if (market.stage !== 'trading') return 'market is closed: not accepting orders';
    if (!market.isListed) return 'the market is not yet ready to process new orders';
    const expires = expirationSeconds * 1000;
    if (kind === 'GTD' && expires <= this.#nowMs()) return 'order is invalid. Invalid expiration';
    const terms = orderTermsOf(order, market.tickPricePips);
    return typeof terms === 'string' ? terms : null;
  }

  #place(submitted: SubmittedOrder, id: Hex): SubmitAnswer {
    const { order, kind, owner, expirationSeconds } = submitted;
    const refused = (text: string): SubmitAnswer => ({ kind: 'refused', orderId: id, text });
    const market = this.#marketOfToken(order.tokenId);
    const terms = market === undefined ? 'No orderbook exists' : orderTermsOf(order, market.tickPricePips);
    if (market === undefined || typeof terms === 'string') return refused(String(terms));
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
    const placement = market.book.place(this.#incomingOf(record));
    if (placement.status === 'unmatched' && placement.fills.length === 0) {
      // Nothing happened: the same order may be sent again, as at the real venue.
      if (kind !== 'FOK') return refused(noMatchText);
      this.#feed.killed(record, killedText);
      return refused(killedText);
    }
    this.ledger.add(record);
    record.status = placement.status === 'live' ? 'LIVE' : 'MATCHED';
    if (record.status === 'LIVE') {
      this.ledger.rest(record);
      this.#feed.order(record, 'PLACEMENT');
    }
    if (placement.fills.length > 0) this.#booking.bookExternal(record, placement.fills);
    this.#publish(market);
    return { kind: 'accepted', record, status: placement.status === 'unmatched' ? 'matched' : placement.status };
  }

  #incomingOf(record: OrderRecord): IncomingOrder {
    const partial = record.market.effects.takePartial();
    const maximum = partial === null ? null : (record.originalTokenUnits * BigInt(partial.fillPct)) / 100n;
    // The venue reads a purchase that must fill at once in dollars, everything else in shares.
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

  /** Takes over an order of an earlier run; one that was resting rests again, before anything else is in the book. */
  restore(record: OrderRecord): void {
    this.ledger.add(record);
    if (record.status !== 'LIVE') return;
    if (record.market.stage !== 'trading') {
      record.status = 'CANCELED';
      return;
    }
    const remainingTokenUnits = record.originalTokenUnits - record.matchedTokenUnits;
    record.market.book.place({ ...this.#incomingOf(record), bound: { tokenUnits: remainingTokenUnits } });
    this.ledger.rest(record);
  }

  /** Places an order of the simulator's own makers and takers. */
  placeSimulated(market: SimMarket, incoming: IncomingOrder): Placement {
    const placement = market.book.place(incoming);
    this.#booking.bookSimulated(market, incoming, placement.fills);
    return placement;
  }

  /** Takes an outsider's order out of the book; null when there is none to take out. */
  cancel(id: string): OrderRecord | null {
    const record = this.ledger.order(id);
    if (record === undefined || !record.market.book.cancel(record.id)) return null;
    record.status = 'CANCELED';
    this.ledger.leave(record);
    this.#feed.order(record, 'CANCELLATION');
    this.#publish(record.market);
    return record;
  }

  /** Ends GTD orders whose time is over. */
  expire(): void {
    for (const record of this.ledger.expiredAt(this.#nowMs())) this.cancel(record.id);
  }

  /** Publishes the levels that changed. */
  #publish(market: SimMarket): void {
    const changed = market.book.drainChanged();
    if (changed.length === 0) return;
    market.markChanged(this.#nowMs());
    this.#feed.priceChange(market, changed);
  }
}
