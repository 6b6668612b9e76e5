import { hashVenueOrder, type VenueDomain } from '@core/vault';
import type { Hex } from 'viem';
import { cashOf, onePricePips } from '../decimals.ts';
import type { SimMarket } from '../market/simMarket.ts';
import type { VenueFeed } from '../market/venueFeed.ts';
import type { Fill, IncomingOrder, OrderKind, Placement } from '../matching/bookOrder.ts';
import type { Settlement, SettlementFill, SignedOrder } from '../settle/settlement.ts';
import type { SimulatedAccounts } from '../settle/simulatedAccounts.ts';
import { OrderLedger } from './orderLedger.ts';
import { orderTermsOf } from './orderTerms.ts';
import type { MakerFillRecord, OrderRecord, TradeRecord } from './records.ts';
import type { SettlementQueue } from './settlementQueue.ts';
import { takerFeeUsdcUnits } from './takerFee.ts';

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

/** Takes orders from outside, lets them meet the book and hands what matched to settlement. */
export class OrderDesk {
  readonly ledger = new OrderLedger();
  readonly #marketOfToken: (tokenId: bigint) => SimMarket | undefined;
  readonly #domain: VenueDomain;
  readonly #settlement: Settlement;
  readonly #accounts: SimulatedAccounts;
  readonly #feed: VenueFeed;
  readonly #queue: SettlementQueue;
  readonly #nowMs: () => number;
  #tradeCount = 0;

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
    this.#accounts = parameters.accounts;
    this.#feed = parameters.feed;
    this.#queue = parameters.queue;
    this.#nowMs = parameters.nowMs;
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
      return refused(kind === 'FOK' ? killedText : noMatchText);
    }
    this.ledger.add(record);
    record.status = placement.status === 'live' ? 'LIVE' : 'MATCHED';
    if (record.status === 'LIVE') {
      this.ledger.rest(record);
      this.#feed.order(record, 'PLACEMENT');
    }
    if (placement.fills.length > 0) this.#matchExternal(record, placement.fills);
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

  /** An order of the simulator's own makers and takers: only what it fills of outsiders is settled. */
  placeSimulated(market: SimMarket, incoming: IncomingOrder): Placement {
    const placement = market.book.place(incoming);
    const outside = placement.fills.filter((fill) => this.ledger.has(fill.resting.id));
    const inside = placement.fills.filter((fill) => !this.ledger.has(fill.resting.id));
    for (const fill of inside) this.#printFill(market, incoming, fill);
    if (outside.length > 0) {
      const tokenUnits = outside.reduce((sum, fill) => sum + fill.tokenUnits, 0n);
      const { order, id } = this.#accounts.signOrder({
        maker: this.#accountAddress(incoming.maker),
        tokenId: market.tokenIdOf(incoming.outcome),
        side: incoming.side,
        pricePips: averagePricePips(outside, incoming.side),
        tokenUnits,
        atMs: this.#nowMs(),
      });
      this.#match({ market, taker: order, takerId: id, takerOwner: 'simulator', incoming }, outside);
    }
    return placement;
  }

  #accountAddress(maker: string): `0x${string}` {
    const account = this.#accounts.accounts.find(({ address }) => address === maker);
    if (account === undefined) throw new RangeError(`${maker} is no account of the simulator`);
    return account.address;
  }

  #matchExternal(record: OrderRecord, fills: readonly Fill[]): void {
    for (const fill of fills) {
      record.matchedTokenUnits += fill.tokenUnits;
      record.matchedUsdcUnits += cashOf(fill.tokenUnits, fill.takerPricePips);
    }
    const incoming = { maker: record.order.maker, outcome: record.outcome, side: record.side };
    this.#match(
      { market: record.market, taker: record.order, takerId: record.id, takerOwner: record.owner, incoming },
      fills,
    );
  }

  #match(
    match: {
      readonly market: SimMarket;
      readonly taker: SignedOrder;
      readonly takerId: Hex;
      readonly takerOwner: string;
      readonly incoming: Pick<IncomingOrder, 'maker' | 'outcome' | 'side'>;
    },
    fills: readonly Fill[],
  ): void {
    const { market, taker, incoming } = match;
    const legs = fills.map((fill) => this.#legOf(market, fill));
    const isFeeFree = !market.definition.areFeesEnabled || match.takerOwner === 'simulator';
    const takerFee = isFeeFree ? 0n : takerFeeUsdcUnits(market.definition.feeSchedule, fills);
    this.#tradeCount += 1;
    const nowMs = this.#nowMs();
    const trade: TradeRecord = {
      id: `t-${match.takerId.slice(2, 14)}-${this.#tradeCount}`,
      market,
      takerOrderId: match.takerId,
      takerOwner: match.takerOwner,
      takerAddress: taker.maker,
      outcome: incoming.outcome,
      side: incoming.side,
      tokenUnits: fills.reduce((sum, fill) => sum + fill.tokenUnits, 0n),
      pricePips: averagePricePips(fills, incoming.side),
      takerFeeUsdcUnits: takerFee,
      matchMs: nowMs,
      makerFills: legs.map(({ record }) => record),
      status: 'MATCHED',
      updatedMs: nowMs,
      transactionHash: null,
    };
    this.ledger.addTrade(trade);
    for (const fill of fills) this.#printFill(market, incoming, fill);
    this.#feed.trade(trade);
    this.#queue.add(trade, {
      market: market.definition,
      taker,
      fills: legs.map(({ leg }) => leg),
      takerFeeUsdcUnits: takerFee,
    });
  }

  /** The maker's signed order behind a fill: the outsider's own, or one signed now for exactly this size. */
  #legOf(market: SimMarket, fill: Fill): { readonly leg: SettlementFill; readonly record: MakerFillRecord } {
    const { resting, tokenUnits, takerPricePips } = fill;
    const makerPricePips = resting.outcome === 0 ? fill.bookPricePips : onePricePips - fill.bookPricePips;
    const external = this.ledger.order(resting.id);
    if (external !== undefined) this.#advanceResting(external, tokenUnits);
    const { order, id } =
      external ??
      this.#accounts.signOrder({
        maker: this.#accountAddress(resting.maker),
        tokenId: market.tokenIdOf(resting.outcome),
        side: resting.side,
        pricePips: makerPricePips,
        tokenUnits,
        atMs: this.#nowMs(),
      });
    return {
      leg: { maker: order, tokenUnits, makerPricePips, takerPricePips },
      record: {
        orderId: id,
        owner: external?.owner ?? 'simulator',
        makerAddress: resting.maker,
        outcome: resting.outcome,
        side: resting.side,
        pricePips: makerPricePips,
        tokenUnits,
      },
    };
  }

  #advanceResting(record: OrderRecord, tokenUnits: bigint): void {
    record.matchedTokenUnits += tokenUnits;
    record.matchedUsdcUnits += cashOf(tokenUnits, record.pricePips);
    if (record.market.book.order(record.id) === undefined) {
      record.status = 'MATCHED';
      this.ledger.leave(record);
    }
    this.#feed.order(record, 'UPDATE');
  }

  #printFill(market: SimMarket, incoming: Pick<IncomingOrder, 'maker' | 'outcome' | 'side'>, fill: Fill): void {
    const atMs = this.#nowMs();
    const { tokenUnits, takerPricePips } = fill;
    const usdcUnits = cashOf(tokenUnits, takerPricePips);
    market.recordTrade({ bookPricePips: fill.bookPricePips, usdcUnits, nowMs: atMs });
    const signed = (side: 'BUY' | 'SELL'): bigint => (side === 'BUY' ? tokenUnits : -tokenUnits);
    market.moveHolding(incoming.outcome, incoming.maker, signed(incoming.side));
    market.moveHolding(fill.resting.outcome, fill.resting.maker, signed(fill.resting.side));
    const { outcome, side } = incoming;
    this.#feed.lastTrade(market, { outcome, side, pricePips: takerPricePips, tokenUnits, atMs });
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

  /** Tells the feed which levels changed. */
  #publish(market: SimMarket): void {
    const touched = market.book.drainTouched();
    if (touched.length === 0) return;
    market.markChanged(this.#nowMs());
    this.#feed.priceChange(market, touched);
  }
}

/** Average price of the incoming order's token in pips, rounded against it. */
function averagePricePips(fills: readonly Fill[], side: 'BUY' | 'SELL'): bigint {
  const tokenUnits = fills.reduce((sum, fill) => sum + fill.tokenUnits, 0n);
  const weighted = fills.reduce((sum, fill) => sum + fill.tokenUnits * fill.takerPricePips, 0n);
  return side === 'BUY' ? (weighted + tokenUnits - 1n) / tokenUnits : weighted / tokenUnits;
}
