import { z } from 'zod';
import { formatPrice, formatSize } from '../units/decimals.ts';
import type { OrderRecord, TradeRecord } from './records.ts';

/** Schema of a whole number as JSON number or text; the exact parser returns both as text. */
const whole = z.union([z.string(), z.number()]).transform((written, context) => {
  const text = String(written);
  if (!/^\d{1,78}$/.test(text)) {
    context.addIssue({ code: 'custom', message: 'must be a whole number' });
    return z.NEVER;
  }
  return BigInt(text);
});
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text): `0x${string}` => `0x${text.slice(2)}`);
const bytes32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text): `0x${string}` => `0x${text.slice(2)}`);
const bytes = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2}){0,4096}$/)
  .transform((text): `0x${string}` => `0x${text.slice(2)}`);
const side = z
  .union([z.enum(['BUY', 'SELL', '0', '1']), z.literal(0), z.literal(1)])
  .transform((code) => (code === 'BUY' || code === '0' || code === 0 ? (0 as const) : (1 as const)));

/**
 * Schema of the JSON type of the salt, which the exact parser does not preserve. The venue rejects an order of a
 * contract wallet whose salt is a text.
 */
export const saltSchema = z.looseObject({ order: z.looseObject({ salt: z.unknown() }) });

/** Body of `POST /order`. */
export const orderBodySchema = z.looseObject({
  order: z.looseObject({
    salt: whole,
    maker: address,
    signer: address,
    tokenId: whole,
    makerAmount: whole,
    takerAmount: whole,
    side,
    signatureType: whole.transform(Number).pipe(z.int().min(0).max(3)),
    timestamp: whole,
    metadata: bytes32,
    builder: bytes32,
    // Unix seconds as text.
    expiration: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .optional(),
    signature: bytes,
  }),
  deferExec: z.boolean().optional(),
  postOnly: z.boolean().optional(),
  orderType: z.enum(['GTC', 'GTD', 'FOK', 'FAK']).default('GTC'),
  owner: z.string().max(200).default(''),
});

const seconds = (atMs: number): string => Math.floor(atMs / 1000).toString();

/** Format the time of a trade. The venue uses three formats; the trade number selects one. */
const tradeInstants: readonly ((atMs: number) => string)[] = [
  seconds,
  (atMs) => Math.floor(atMs).toString(),
  (atMs) => new Date(atMs).toISOString(),
];

/** Return an order in the format of `GET /data/order/{id}` and the user socket. */
export function wireOrderOf(record: OrderRecord, tradeIds: readonly string[]) {
  return {
    id: record.id,
    status: record.status,
    owner: record.owner,
    maker_address: record.order.maker,
    market: record.market.definition.conditionId,
    asset_id: record.order.tokenId.toString(),
    side: record.side,
    original_size: formatSize(record.originalTokenUnits),
    size_matched: formatSize(record.matchedTokenUnits),
    price: formatPrice(record.pricePips),
    outcome: record.market.definition.outcomes[record.outcome],
    expiration: record.expirationSeconds.toString(),
    order_type: record.kind,
    created_at: Math.floor(record.createdMs / 1000),
    associate_trades: tradeIds,
  };
}

/** Return an order in the format of the user socket, its instant as text. */
export function wireOrderEventOf(record: OrderRecord, tradeIds: readonly string[]) {
  return { ...wireOrderOf(record, tradeIds), order_owner: record.owner, created_at: seconds(record.createdMs) };
}

/** Return a killed order in the format of the user socket: the reason as status, an empty matched size. */
export function wireKilledOrderOf(record: OrderRecord, reason: string) {
  return { ...wireOrderEventOf(record, []), status: `CANCELED_${reason}`, size_matched: '' };
}

/** Return a trade in the format of `GET /data/trades` and the user socket. */
export function wireTradeOf(trade: TradeRecord) {
  const { definition } = trade.market;
  const instantOf = tradeInstants[trade.number % tradeInstants.length] ?? seconds;
  return {
    id: trade.id,
    taker_order_id: trade.takerOrderId,
    market: definition.conditionId,
    asset_id: definition.tokenIds[trade.outcome].toString(),
    side: trade.side,
    size: formatSize(trade.tokenUnits),
    fee_rate_bps: '0',
    price: formatPrice(trade.pricePips),
    status: trade.status,
    match_time: instantOf(trade.matchMs),
    last_update: instantOf(trade.updatedMs),
    outcome: definition.outcomes[trade.outcome],
    bucket_index: 0,
    owner: trade.takerOwner,
    maker_address: trade.takerAddress,
    // Empty until a transaction is sent.
    transaction_hash: trade.transactionHash ?? '',
    match_time_nano: `${Math.floor(trade.matchMs)}000000`,
    err_msg: null,
    taker_fee: formatSize(trade.takerFeeUsdcUnits),
    maker_orders: trade.makerFills.map((fill) => ({
      order_id: fill.orderId,
      owner: fill.owner,
      maker_address: fill.makerAddress,
      matched_amount: formatSize(fill.tokenUnits),
      price: formatPrice(fill.pricePips),
      fee_rate_bps: '0',
      asset_id: definition.tokenIds[fill.outcome].toString(),
      outcome: definition.outcomes[fill.outcome],
      side: fill.side,
    })),
    trader_side: 'TAKER',
    type: 'TRADE',
  };
}

/** Return a trade in the format of the user socket, its instants in seconds. */
export function wireTradeEventOf(trade: TradeRecord) {
  return { ...wireTradeOf(trade), match_time: seconds(trade.matchMs), last_update: seconds(trade.updatedMs) };
}
