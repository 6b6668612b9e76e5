import { setTimeout as delay } from 'node:timers/promises';
import {
  buyOrderOf,
  type PricePips,
  raw,
  sellOrderOf,
  type TokenUnits,
  toShareStep,
  type UsdcUnits,
  usdcUnits,
  valueOf,
} from '@core/pricing';
import type { Clock } from '@core/runtime';
import { hashVenueOrder, OrderSide, type VenueOrder } from '@core/vault';
import { isVenueFault, type VenueClient, type VenueFault } from '@core/venue';
import { type Hex, zeroHash } from 'viem';
import type { Failpoint } from '../chain/failpoint.ts';
import type { Journal } from '../journal/journal.ts';
import type { SignedOrder } from '../journal/journalLines.ts';
import { domainOf, type OrderDomains, type OrderMaker } from './orderMaker.ts';

export interface VenueTraderOptions {
  readonly venue: VenueClient;
  /** Account in whose name orders are placed. */
  readonly maker: OrderMaker;
  readonly domains: OrderDomains;
  readonly owner: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly failpoint: Failpoint;
  /** Return a random salt of an order, below 2^53. */
  readonly salt: () => bigint;
}

/** Immediate order of the filler. */
export interface TradeRequest {
  readonly conditionId: Hex;
  readonly tokenId: bigint;
  readonly tokenUnits: TokenUnits;
  /** Worst price, on the tick. */
  readonly pricePips: PricePips;
  readonly tickPricePips: PricePips;
}

/** End of an order: the venue fills it no further, or refused it with a code. What it moved is read from the chain. */
export type TradeOutcome = { readonly kind: 'over' } | { readonly kind: 'refused'; readonly code: string };

const followMs = 200;
/** Reads after which an order that the venue does not know counts as never posted. */
const unknownReads = 5;

/**
 * Orders of the filler at the venue. Each is in the journal before it is posted and is posted once. An order whose
 * answer was lost is looked up by its hash and never posted again. No answer of the venue is booked as money.
 */
export class VenueTrader {
  readonly #options: VenueTraderOptions;

  constructor(options: VenueTraderOptions) {
    this.#options = options;
  }

  /** Buy at least these tokens, or none: money is in whole cents, so that a little more may come. */
  buy(request: TradeRequest): Promise<TradeOutcome> {
    const budget = centsOf(valueOf(toShareStep(request.tokenUnits, 'up'), request.pricePips, 'up'));
    const order = buyOrderOf(budget, request);
    const amounts = { side: OrderSide.Buy, makerAmount: raw(order.usdcUnits), takerAmount: raw(order.tokenUnits) };
    return this.#trade(request, { ...amounts, orderType: 'FOK' });
  }

  /** Sell as many of these tokens as bids take at the price, in steps of 0.01. */
  sell(request: TradeRequest): Promise<TradeOutcome> {
    const order = sellOrderOf(request.tokenUnits, request);
    const amounts = { side: OrderSide.Sell, makerAmount: raw(order.tokenUnits), takerAmount: raw(order.usdcUnits) };
    return this.#trade(request, { ...amounts, orderType: 'FAK' });
  }

  /** Rest tokens at a price as a maker, in steps of 0.01, until they are sold or a signal ends it. */
  rest(request: TradeRequest, until: AbortSignal): Promise<TradeOutcome> {
    const tokens = toShareStep(request.tokenUnits, 'down');
    const takerAmount = raw(valueOf(tokens, request.pricePips, 'down'));
    const amounts = { side: OrderSide.Sell, makerAmount: raw(tokens), takerAmount };
    return this.#trade(request, { ...amounts, orderType: 'GTC', until });
  }

  /** Follow every order whose end is unknown to its end. One that rests is cancelled. */
  async resume(): Promise<void> {
    const { journal } = this.#options;
    const ended = AbortSignal.abort();
    await Promise.all([...journal.state.orders.values()].map(({ id }) => this.#follow(id, ended)));
  }

  async #trade(
    { conditionId, tokenId }: TradeRequest,
    {
      orderType,
      until,
      ...amounts
    }: Pick<VenueOrder, 'side' | 'makerAmount' | 'takerAmount'> &
      Pick<SignedOrder, 'orderType'> & { readonly until?: AbortSignal },
  ): Promise<TradeOutcome> {
    const { maker, domains, journal, clock, failpoint, salt } = this.#options;
    const order: VenueOrder = {
      ...amounts,
      salt: salt(),
      maker: maker.address,
      signer: maker.address,
      tokenId,
      signatureType: maker.signatureType,
      timestamp: BigInt(clock.nowMs()),
      metadata: zeroHash,
      builder: zeroHash,
    };
    const signature = await maker.sign(order);
    const id = hashVenueOrder(order, domainOf(tokenId, domains));
    await maker.fund(order);
    try {
      journal.write({ kind: 'order', id, conditionId, order: { ...order, signature }, orderType });
    } catch (error) {
      await maker.release(order);
      throw error;
    }
    failpoint('post', 'after_intent');
    const refusal = await this.#post({ ...order, signature }, orderType);
    failpoint('post', 'after_send');
    const isRefused = refusal !== null && refusal.effect === 'no';
    const outcome = isRefused ? this.#end(id, refusal.code) : await this.#follow(id, until ?? null);
    await maker.release(order);
    return outcome;
  }

  async #post(order: SignedOrder['order'], orderType: SignedOrder['orderType']): Promise<VenueFault | null> {
    const { venue, owner } = this.#options;
    try {
      await venue.placeOrder({ order, orderType, owner, isPostOnly: orderType === 'GTC' });
      return null;
    } catch (error) {
      if (isVenueFault(error)) return error;
      throw error;
    }
  }

  /**
   * Wait until the venue will fill an order no further and every match of it is settled or has failed. One that is live
   * when a signal ends it is cancelled.
   */
  async #follow(id: Hex, until: AbortSignal | null): Promise<TradeOutcome> {
    const { venue } = this.#options;
    for (let unknownCount = 0; unknownCount < unknownReads; ) {
      try {
        const state = await venue.order(id);
        const isOpen = state === null || state.status === 'live' || state.status === 'delayed';
        const trades = state === null ? [] : await venue.trades({ orderId: id });
        const isSettled = trades.every(({ status }) => status === 'CONFIRMED' || status === 'FAILED');
        if (!isOpen && isSettled && (trades.length > 0 || state.tradeIds.length === 0)) return this.#end(id, null);
        unknownCount = state === null ? unknownCount + 1 : 0;
        if (state?.status === 'live' && until?.aborted === true) await venue.cancelOrder(id);
      } catch (error) {
        if (!isVenueFault(error)) throw error;
      }
      await delay(followMs);
    }
    return this.#end(id, 'unknown');
  }

  #end(id: Hex, code: string | null): TradeOutcome {
    const { journal, failpoint } = this.#options;
    failpoint('post', 'before_end');
    journal.end({ kind: 'order_end', id, outcome: code === null ? 'over' : 'refused', code });
    return code === null ? { kind: 'over' } : { kind: 'refused', code };
  }
}

const unitsPerCent = 10_000n;

/** Return an amount in whole cents, rounded up. */
function centsOf(usdc: UsdcUnits): UsdcUnits {
  return usdcUnits(((raw(usdc) + unitsPerCent - 1n) / unitsPerCent) * unitsPerCent);
}
