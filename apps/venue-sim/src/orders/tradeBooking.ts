import type { Hex } from 'viem';
import type { SimMarket } from '../market/simMarket.ts';
import type { Fill, IncomingOrder } from '../matching/bookOrder.ts';
import type { SettlementFill, SignedOrder } from '../settlement/settlement.ts';
import type { SimulatedAccounts } from '../settlement/simulatedAccounts.ts';
import { cashOf, complementOf } from '../units/decimals.ts';
import type { OrderLedger } from './orderLedger.ts';
import type { MakerFillRecord, OrderRecord, TradeRecord } from './records.ts';
import type { SettlementQueue } from './settlementQueue.ts';
import { takerFeeUsdcUnits } from './takerFee.ts';
import { takerGivesOf } from './takerGives.ts';
import type { VenueFeed } from './venueFeed.ts';

type Trader = Pick<IncomingOrder, 'maker' | 'outcome' | 'side'>;

export interface TradeBookingOptions {
  readonly ledger: OrderLedger;
  readonly accounts: SimulatedAccounts;
  readonly feed: VenueFeed;
  readonly queue: SettlementQueue;
  readonly nowMs: () => number;
}

/** Books matches: records the trade, publishes it, updates holders and queues the settlement. */
export class TradeBooking {
  readonly #options: TradeBookingOptions;

  constructor(options: TradeBookingOptions) {
    this.#options = options;
  }

  /** Book the fills of an outside order. */
  bookExternal(record: OrderRecord, fills: readonly Fill[]): void {
    for (const fill of fills) {
      record.matchedTokenUnits += fill.tokenUnits;
      record.matchedUsdcUnits += cashOf(fill.tokenUnits, fill.takerPricePips);
    }
    const incoming = { maker: record.order.maker, outcome: record.outcome, side: record.side };
    this.#book(
      { market: record.market, taker: record.order, takerId: record.id, takerOwner: record.owner, incoming },
      fills,
    );
  }

  /** Book the fills of a simulated order. Only fills of outside orders are settled. */
  bookSimulated(market: SimMarket, incoming: IncomingOrder, fills: readonly Fill[]): void {
    const { ledger, accounts, nowMs } = this.#options;
    const outside = fills.filter((fill) => ledger.has(fill.resting.id));
    const inside = fills.filter((fill) => !ledger.has(fill.resting.id));
    for (const fill of inside) this.#printFill(market, incoming, fill);
    if (outside.length === 0) return;
    const { order, id } = accounts.signOrder({
      maker: this.#accountAddress(incoming.maker),
      tokenId: market.tokenIdOf(incoming.outcome),
      side: incoming.side,
      pricePips: worstPricePips(outside, incoming.side),
      tokenUnits: outside.reduce((sum, fill) => sum + fill.tokenUnits, 0n),
      atMs: nowMs(),
    });
    this.#book({ market, taker: order, takerId: id, takerOwner: 'simulator', incoming }, outside);
  }

  #accountAddress(maker: string): `0x${string}` {
    const account = this.#options.accounts.accounts.find(({ address }) => address === maker);
    if (account === undefined) throw new RangeError(`${maker} is no account of the simulator`);
    return account.address;
  }

  #book(
    match: {
      readonly market: SimMarket;
      readonly taker: SignedOrder;
      readonly takerId: Hex;
      readonly takerOwner: string;
      readonly incoming: Trader;
    },
    fills: readonly Fill[],
  ): void {
    const { market, taker, incoming } = match;
    const nowMs = this.#options.nowMs();
    const oversold = this.#oversoldTokenUnits(market, incoming, fills);
    const legs = fills.map((fill, index) => this.#legOf(market, fill, index === 0 ? oversold : 0n));
    const takerFee = match.takerOwner === 'simulator' ? 0n : feeOf(market, fills);
    const number = this.#options.ledger.lastTradeNumber() + 1;
    const trade: TradeRecord = {
      id: `t-${match.takerId.slice(2, 14)}-${number}`,
      number,
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
    this.#options.ledger.addTrade(trade);
    for (const fill of fills) this.#printFill(market, incoming, fill);
    this.#options.feed.trade(trade);
    this.#options.queue.add(trade, {
      market: market.definition,
      taker,
      fills: legs.map(({ leg }) => leg),
      takerGives: takerGivesOf(taker, fills, market.effects.isGrossAt(nowMs)),
      takerFeeUsdcUnits: takerFee,
    });
  }

  /** Return the first maker's tokens of a direct sale beyond its size, when the venue's direct fills are loose. */
  #oversoldTokenUnits(market: SimMarket, incoming: Trader, fills: readonly Fill[]): bigint {
    const isDirectSale = incoming.side === 'SELL' && fills.every(({ resting }) => resting.side === 'BUY');
    const targetTokenUnits = market.effects.oversoldTokenUnitsAt(this.#options.nowMs());
    const matched = fills.reduce((sum, fill) => sum + fill.tokenUnits, 0n);
    return isDirectSale && targetTokenUnits > matched ? targetTokenUnits - matched : 0n;
  }

  /** Return the maker's signed order of a fill: the outside one, or one signed now with the oversold tokens. */
  #legOf(
    market: SimMarket,
    fill: Fill,
    oversoldTokenUnits: bigint,
  ): { readonly leg: SettlementFill; readonly record: MakerFillRecord } {
    const { resting, tokenUnits, takerPricePips } = fill;
    const makerPricePips = resting.outcome === 0 ? fill.bookPricePips : complementOf(fill.bookPricePips);
    const external = this.#options.ledger.order(resting.id);
    if (external !== undefined) this.#advanceResting(external, tokenUnits);
    const settledTokenUnits = external === undefined ? tokenUnits + oversoldTokenUnits : tokenUnits;
    const { order } =
      external ??
      this.#options.accounts.signOrder({
        maker: this.#accountAddress(resting.maker),
        tokenId: market.tokenIdOf(resting.outcome),
        side: resting.side,
        pricePips: makerPricePips,
        tokenUnits: settledTokenUnits,
        atMs: this.#options.nowMs(),
      });
    const paysFee = market.effects.chargesMakersAt(this.#options.nowMs());
    const feeUsdcUnits = paysFee ? feeOf(market, [{ tokenUnits, takerPricePips: makerPricePips }]) : 0n;
    return {
      leg: { maker: order, tokenUnits: settledTokenUnits, makerPricePips, takerPricePips, feeUsdcUnits },
      record: {
        orderId: resting.id,
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
      this.#options.ledger.leave(record);
    }
    this.#options.feed.order(record, 'UPDATE');
  }

  #printFill(market: SimMarket, incoming: Trader, fill: Fill): void {
    const atMs = this.#options.nowMs();
    const { tokenUnits, takerPricePips } = fill;
    const usdcUnits = cashOf(tokenUnits, takerPricePips);
    market.recordTrade({ bookPricePips: fill.bookPricePips, usdcUnits, nowMs: atMs });
    const signedTokenUnits = (side: 'BUY' | 'SELL'): bigint => (side === 'BUY' ? tokenUnits : -tokenUnits);
    market.moveHolding(incoming.outcome, incoming.maker, signedTokenUnits(incoming.side));
    market.moveHolding(fill.resting.outcome, fill.resting.maker, signedTokenUnits(fill.resting.side));
    const { outcome, side } = incoming;
    this.#options.feed.lastTrade(market, { outcome, side, pricePips: takerPricePips, tokenUnits, atMs });
  }
}

/** Return the venue's fee of an order for its fills at prices of its own token. Makers use the same formula. */
function feeOf(
  { definition }: SimMarket,
  fills: readonly { readonly tokenUnits: bigint; readonly takerPricePips: bigint }[],
): bigint {
  return definition.areFeesEnabled ? takerFeeUsdcUnits(definition.feeSchedule, fills) : 0n;
}

/** Return the worst price of the fills, which crosses the price of every maker. */
function worstPricePips(fills: readonly Fill[], side: 'BUY' | 'SELL'): bigint {
  return fills
    .map(({ takerPricePips }) => takerPricePips)
    .reduce((worst, price) => ((side === 'BUY') === price > worst ? price : worst));
}

/** Return the average price of the incoming order's token in pips, rounded against it. */
function averagePricePips(fills: readonly Fill[], side: 'BUY' | 'SELL'): bigint {
  const tokenUnits = fills.reduce((sum, fill) => sum + fill.tokenUnits, 0n);
  const weighted = fills.reduce((sum, fill) => sum + fill.tokenUnits * fill.takerPricePips, 0n);
  return side === 'BUY' ? (weighted + tokenUnits - 1n) / tokenUnits : weighted / tokenUnits;
}
