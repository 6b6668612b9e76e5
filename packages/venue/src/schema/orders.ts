import type { Hex } from '@core/position';
import { tokenUnits } from '@core/pricing';
import { isHex } from 'viem';
import { z } from 'zod';
import type {
  MakerFill,
  OrderState,
  OrderStatus,
  PlacedOrder,
  PlacedOrderStatus,
  PlaceOrderRequest,
  TradeState,
  TradeStatus,
} from '../port/venueClient.ts';
import type { SignedVenueOrder } from '../port/venueOrder.ts';
import { cleanTextOf } from '../text/cleanText.ts';
import { scaledOf, toPricePipsDown, toTokenUnits } from '../text/decimal.ts';
import { venueMillisecondsOf } from '../text/venueMilliseconds.ts';
import { decimalText } from './wireTypes.ts';

const sideSchema = z.enum(['BUY', 'SELL']);

/**
 * Return the JSON body of `POST /order`, field by field as the venue's own clients write it: the salt as a number,
 * other whole numbers as text, the side as a text here and a number on chain.
 * @throws RangeError for a salt that a JSON number does not hold.
 */
export function placeOrderBodyOf({ order, orderType, owner, isPostOnly = false }: PlaceOrderRequest) {
  const postOnly = isPostOnly ? { postOnly: true } : {};
  return { order: wireOrderOf(order), owner, orderType, deferExec: false, ...postOnly };
}

const numberOf = (salt: bigint): number => {
  if (salt > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('a salt has at most 53 bits');
  return Number(salt);
};

const wireOrderOf = (order: SignedVenueOrder) => ({
  salt: numberOf(order.salt),
  maker: order.maker,
  signer: order.signer,
  tokenId: String(order.tokenId),
  makerAmount: String(order.makerAmount),
  takerAmount: String(order.takerAmount),
  side: order.side === 0 ? ('BUY' as const) : ('SELL' as const),
  signatureType: order.signatureType,
  timestamp: String(order.timestamp),
  // Not signed; an order that rests is cancelled by its owner.
  expiration: '0',
  metadata: order.metadata,
  builder: order.builder,
  signature: order.signature,
});

/** Answer of `POST /order`; a refusal may come under any status, with `success` false or an `errorMsg`. */
export const placedOrderSchema = z.looseObject({
  success: z.boolean().nullish(),
  errorMsg: z.string().nullish(),
  error: z.string().nullish(),
  orderID: z.string().nullish(),
  status: z.string().nullish(),
  makingAmount: decimalText.nullish(),
  takingAmount: decimalText.nullish(),
  tradeIDs: z.array(z.string()).nullish(),
});

/** Answer of `DELETE /order`. An order that is over or unknown is in `not_canceled`. */
export const cancelAnswerSchema = z.looseObject({ canceled: z.array(z.string()) });

const placedStatuses: readonly PlacedOrderStatus[] = ['live', 'matched', 'delayed', 'unmatched'];

/** A taken order in the service's own types; null when the answer lacks its hash or has an unknown status. */
export function placedOrderOf(answer: z.output<typeof placedOrderSchema>): PlacedOrder | null {
  const status = placedStatuses.find((known) => known === answer.status?.toLowerCase());
  if (!isHex(answer.orderID) || status === undefined) {
    return null;
  }
  return {
    orderId: answer.orderID,
    status,
    makingUnits: scaledOf(answer.makingAmount ?? '', 6, 'down'),
    takingUnits: scaledOf(answer.takingAmount ?? '', 6, 'down'),
    tradeIds: answer.tradeIDs ?? [],
  };
}

/** Answer of `GET /data/order/{id}` and the user socket's `order` message. */
export const wireOrderStateSchema = z.looseObject({
  id: z.string(),
  market: z.string(),
  asset_id: z.string(),
  side: sideSchema,
  status: z.string(),
  price: decimalText,
  original_size: decimalText,
  size_matched: decimalText,
  associate_trades: z.array(z.string()).nullish(),
});

const orderStatuses: Readonly<Record<string, OrderStatus>> = {
  LIVE: 'live',
  MATCHED: 'matched',
  DELAYED: 'delayed',
  UNMATCHED: 'unmatched',
  CANCELED: 'cancelled',
  CANCELLED: 'cancelled',
  EXPIRED: 'cancelled',
  INVALID: 'cancelled',
};

/** A killed order's status is the code and the reason in one: `CANCELED_order couldn't be fully filled. …`. */
const killedPattern = /^CANCELL?ED_/;

/** An order in the service's own types; null when a code or amount in it cannot be read. */
export function orderStateOf(wire: z.output<typeof wireOrderStateSchema>): OrderState | null {
  const code = wire.status.toUpperCase().replace(/^ORDER_STATUS_/, '');
  const isKilled = killedPattern.test(code);
  const status = isKilled ? 'cancelled' : orderStatuses[code];
  const limitPricePips = toPricePipsDown(wire.price);
  const originalTokenUnits = toTokenUnits(wire.original_size);
  // Nothing of a killed order was matched, and the venue leaves the size empty.
  const matchedTokenUnits = isKilled && wire.size_matched === '' ? tokenUnits(0n) : toTokenUnits(wire.size_matched);
  if (status === undefined || limitPricePips === null || originalTokenUnits === null || matchedTokenUnits === null) {
    return null;
  }
  return {
    orderId: wire.id,
    conditionId: wire.market.toLowerCase(),
    tokenId: wire.asset_id,
    side: wire.side,
    status,
    pricePips: limitPricePips,
    originalTokenUnits,
    matchedTokenUnits,
    tradeIds: wire.associate_trades ?? [],
  };
}

const wireMakerOrderSchema = z.looseObject({
  order_id: z.string(),
  maker_address: z.string(),
  asset_id: z.string(),
  matched_amount: decimalText,
  price: decimalText,
});

/** Entries of `GET /data/trades` and the user socket's `trade` message. */
export const wireTradeSchema = z.looseObject({
  id: z.string(),
  taker_order_id: z.string(),
  market: z.string(),
  asset_id: z.string(),
  side: sideSchema,
  size: decimalText,
  price: decimalText,
  status: z.string().transform((status) => status.toUpperCase().replace(/^TRADE_STATUS_/, '')),
  match_time: decimalText,
  last_update: decimalText,
  transaction_hash: z.string().nullish(),
  maker_orders: z.array(wireMakerOrderSchema).nullish(),
});

const transactionHashOf = (text: string | null | undefined): Hex | null => {
  const digits = /^(?:0x)?([0-9a-f]+)$/i.exec(text ?? '')?.[1];
  return digits === undefined ? null : `0x${digits}`;
};

/** A match that waits to be sent is a match. */
const tradeStatuses: Readonly<Record<string, TradeStatus>> = {
  MATCHED: 'MATCHED',
  MATCHED_NOT_BROADCASTED: 'MATCHED',
  MINED: 'MINED',
  CONFIRMED: 'CONFIRMED',
  RETRYING: 'RETRYING',
  FAILED: 'FAILED',
};

const makerFillOf = (wire: z.output<typeof wireMakerOrderSchema>): MakerFill | null => {
  const matchedTokenUnits = toTokenUnits(wire.matched_amount);
  const fillPricePips = toPricePipsDown(wire.price);
  return matchedTokenUnits === null || fillPricePips === null
    ? null
    : {
        orderId: wire.order_id,
        makerAddress: wire.maker_address,
        tokenId: wire.asset_id,
        matchedTokenUnits,
        pricePips: fillPricePips,
      };
};

/**
 * A trade in the service's own types; null when a code or amount in it cannot be read. Average prices are rounded down.
 */
export function tradeStateOf(wire: z.output<typeof wireTradeSchema>): TradeState | null {
  const status = tradeStatuses[wire.status];
  const tradeTokenUnits = toTokenUnits(wire.size);
  const averagePricePips = toPricePipsDown(wire.price);
  const matchedAtMs = venueMillisecondsOf(wire.match_time);
  const lastUpdateMs = venueMillisecondsOf(wire.last_update);
  const wireFills = wire.maker_orders ?? [];
  const makerFills = wireFills.map(makerFillOf).filter((fill) => fill !== null);
  const isReadable = makerFills.length === wireFills.length && matchedAtMs !== null && lastUpdateMs !== null;
  if (status === undefined || tradeTokenUnits === null || averagePricePips === null || !isReadable) {
    return null;
  }
  return {
    // Stored with the intent of the order: any text of the venue, in a form that a database takes.
    tradeId: cleanTextOf(wire.id),
    takerOrderId: wire.taker_order_id,
    conditionId: wire.market.toLowerCase(),
    tokenId: wire.asset_id,
    side: wire.side,
    tokenUnits: tradeTokenUnits,
    pricePips: averagePricePips,
    status,
    transactionHash: transactionHashOf(wire.transaction_hash),
    matchedAtMs,
    lastUpdateMs,
    makerFills,
  };
}
