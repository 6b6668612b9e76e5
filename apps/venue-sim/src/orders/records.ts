import type { Hex } from 'viem';
import type { SimMarket } from '../market/simMarket.ts';
import type { OrderKind, Outcome, Side } from '../matching/bookOrder.ts';
import type { SignedOrder } from '../settlement/settlement.ts';

export type OrderStatus = 'LIVE' | 'DELAYED' | 'MATCHED' | 'UNMATCHED' | 'CANCELED';

/** Record of an outside order. */
export interface OrderRecord {
  /** EIP-712 hash of the order. */
  readonly id: Hex;
  readonly owner: string;
  readonly order: SignedOrder;
  readonly market: SimMarket;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly kind: OrderKind;
  readonly pricePips: bigint;
  readonly originalTokenUnits: bigint;
  readonly createdMs: number;
  /** Expiry of a GTD order, epoch seconds; 0 for none. */
  readonly expirationSeconds: number;
  status: OrderStatus;
  matchedTokenUnits: bigint;
  /** Cash of the matched part, USDC units. */
  matchedUsdcUnits: bigint;
}

export type TradeStatus = 'MATCHED' | 'MINED' | 'CONFIRMED' | 'RETRYING' | 'FAILED';

export interface MakerFillRecord {
  /** Hash of an outside order, or the quote name of a simulated maker. */
  readonly orderId: string;
  readonly owner: string;
  readonly makerAddress: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly pricePips: bigint;
  readonly tokenUnits: bigint;
}

/** Match of a taker order with its maker fills and settlement status. */
export interface TradeRecord {
  readonly id: string;
  /** Counted from 1 over all trades. */
  readonly number: number;
  readonly market: SimMarket;
  readonly takerOrderId: Hex;
  readonly takerOwner: string;
  readonly takerAddress: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly tokenUnits: bigint;
  /** Average price of the taker's token, rounded to a pip against the taker. */
  readonly pricePips: bigint;
  readonly takerFeeUsdcUnits: bigint;
  readonly matchMs: number;
  readonly makerFills: readonly MakerFillRecord[];
  status: TradeStatus;
  updatedMs: number;
  transactionHash: Hex | null;
}
