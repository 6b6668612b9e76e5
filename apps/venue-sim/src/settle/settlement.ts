import type { VenueOrder } from '@core/vault';
import type { Hex } from 'viem';
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
}

/** One taker order against one or more maker orders: one transaction. */
export interface SettlementMatch {
  readonly market: MarketDefinition;
  readonly taker: SignedOrder;
  readonly fills: readonly SettlementFill[];
  readonly takerFeeUsdcUnits: bigint;
}

export interface SettlementResult {
  /** Null when not even a transaction could be sent. */
  readonly transactionHash: Hex | null;
  readonly isSuccess: boolean;
}

/** Where matches, conditions and payouts become money: the local chain, or nothing at all. */
export interface Settlement {
  readonly isOnChain: boolean;
  /** Makes the market known where it settles; trading starts after it. */
  list(market: MarketDefinition): Promise<void>;
  /** The venue's text for refusing an order, null when it may trade. */
  refusalOf(order: SignedOrder, orderId: Hex): Promise<string | null>;
  /** @param mustRevert Sends the match so that the exchange reverts it: a ghost fill. */
  settle(match: SettlementMatch, mustRevert: boolean): Promise<SettlementResult>;
  /** Reports a payout vector; null when nothing was written anywhere. */
  report(market: MarketDefinition, payouts: readonly [bigint, bigint]): Promise<Hex | null>;
  /** Moves the chain's clock with the venue's. */
  advance(seconds: number): Promise<void>;
}
