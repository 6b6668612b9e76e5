import type { VenueOrder } from '@core/vault';
import type { Address, Hex } from 'viem';
import type { MarketDefinition } from '../catalogue/marketDefinition.ts';

export interface SignedOrder extends VenueOrder {
  readonly signature: Hex;
}

/** One maker's part of a match. */
export interface SettlementFill {
  readonly maker: SignedOrder;
  readonly tokenUnits: bigint;
  /** Price of the maker's own token. */
  readonly makerPricePips: bigint;
  /** Price of the taker's own token. */
  readonly takerPricePips: bigint;
  /** The maker's fee: on top of a purchase, out of a sale. */
  readonly feeUsdcUnits: bigint;
}

/** One taker order against one or more maker orders: one transaction. */
export interface SettlementMatch {
  readonly market: MarketDefinition;
  readonly taker: SignedOrder;
  readonly fills: readonly SettlementFill[];
  /** What the taker's order gives, in units of its maker asset and without its fee. */
  readonly takerGives: bigint;
  readonly takerFeeUsdcUnits: bigint;
}

export interface SettlementResult {
  /** Null when not even a transaction could be sent. */
  readonly transactionHash: Hex | null;
  readonly isSuccess: boolean;
}

/** Traps of the exchange that matches settle on. */
export interface ExchangeTraps {
  /** Direct matches move the taker's order by what the operator says, whatever its makers take. */
  looseDirectFills(on: boolean): Promise<void>;
  /** Stops every fill of an account's orders, or allows them again. */
  pauseUser(account: Address, paused: boolean): Promise<void>;
}

/** Where matches, conditions and payouts become money: the local chain, or nothing at all. */
export interface Settlement {
  readonly isOnChain: boolean;
  /** Null where there is no exchange. */
  readonly traps: ExchangeTraps | null;
  /** Makes the market known where it settles; trading starts after it. */
  list(market: MarketDefinition): Promise<void>;
  /** The venue's text for refusing an order, null when it may trade. */
  refusalOf(order: SignedOrder, orderId: Hex): Promise<string | null>;
  /** @param mustRevert Sends the match so that the exchange reverts it: a ghost fill. */
  settle(match: SettlementMatch, mustRevert: boolean): Promise<SettlementResult>;
  /** Whether a match of the taker's order was settled, asked by a venue that was ended while it settled. */
  isSettled(takerOrderId: Hex): Promise<boolean>;
  /** Reports a payout vector; null when nothing was written anywhere. */
  report(market: MarketDefinition, payouts: readonly [bigint, bigint]): Promise<Hex | null>;
  /** Moves the chain's clock with the venue's. */
  advance(seconds: number): Promise<void>;
}
