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
  /** Amount that the taker's order gives, in units of its maker asset and without its fee. */
  readonly takerGives: bigint;
  readonly takerFeeUsdcUnits: bigint;
}

export interface SettlementResult {
  /** Null when no transaction could be sent. */
  readonly transactionHash: Hex | null;
  readonly isSuccess: boolean;
}

/** Balance of an account in one asset and its allowance for the exchange, units. */
export interface MakerBalance {
  readonly balanceUnits: bigint;
  readonly allowanceUnits: bigint;
}

/** Fault injection of the exchange. */
export interface ExchangeTraps {
  /** Let direct matches fill the taker's order by the operator's amount instead of the makers'. */
  looseDirectFills(on: boolean): Promise<void>;
  /** Block or unblock the fills of an account's orders. */
  pauseUser(account: Address, paused: boolean): Promise<void>;
}

/** Settlement of matches, conditions and payouts: the local chain, or paper. */
export interface Settlement {
  readonly isOnChain: boolean;
  /** Null where there is no exchange. */
  readonly traps: ExchangeTraps | null;
  /** Register the market on the settlement layer; trading starts afterwards. */
  list(market: MarketDefinition): Promise<void>;
  /**
   * Return the venue's text for refusing an order, null when it may trade.
   * @param isSigned True when the signature was checked already.
   */
  refusalOf(order: SignedOrder, orderId: Hex, isSigned: boolean): Promise<string | null>;
  /** @param tokenId Null for the collateral. */
  balanceOf(owner: Address, tokenId: bigint | null): Promise<MakerBalance>;
  /** @param mustRevert True for a ghost fill: the match is sent so that the exchange reverts it. */
  settle(match: SettlementMatch, mustRevert: boolean): Promise<SettlementResult>;
  /** Return true when a match of the taker's order is settled; used after a restart. */
  isSettled(takerOrderId: Hex): Promise<boolean>;
  /** Report a payout vector; null when no transaction was sent. */
  report(market: MarketDefinition, payouts: readonly [bigint, bigint]): Promise<Hex | null>;
  /** Advance the chain's clock with the venue's. */
  advance(seconds: number): Promise<void>;
}
