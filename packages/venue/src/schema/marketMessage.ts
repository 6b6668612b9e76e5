import type { PricePips, TokenUnits } from '@core/pricing';
import { z } from 'zod';
import type { BookSnapshot } from '../port/venueClient.ts';
import { toLevelPricePips, toPricePips, toPricePipsDown, toTokenUnits } from '../text/decimal.ts';
import { venueMillisecondsOf } from '../text/venueMilliseconds.ts';
import { bookSnapshotOf, wireBookSchema } from './book.ts';
import { decimalText } from './wireTypes.ts';

/** One price level's new size. Size zero removes the level. */
export interface PriceChange {
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly pricePips: PricePips;
  readonly sizeTokenUnits: TokenUnits;
  /**
   * The best prices after the change as the venue sees them; `undefined` when the message does not say, null when
   * empty.
   */
  readonly bestBidPricePips: PricePips | null | undefined;
  readonly bestAskPricePips: PricePips | null | undefined;
}

export type MarketMessage =
  | { readonly kind: 'book'; readonly snapshot: BookSnapshot }
  | {
      readonly kind: 'price_change';
      readonly conditionId: string;
      readonly timestampMs: number;
      readonly changes: readonly PriceChange[];
    }
  | {
      readonly kind: 'last_trade_price';
      readonly conditionId: string;
      readonly tokenId: string;
      readonly timestampMs: number;
      readonly pricePips: PricePips;
      /** Null when the message does not say. */
      readonly sizeTokenUnits: TokenUnits | null;
      readonly takerSide: 'BUY' | 'SELL' | null;
    }
  | {
      readonly kind: 'tick_size_change';
      readonly conditionId: string;
      readonly tokenId: string;
      readonly timestampMs: number;
      readonly newTickPricePips: PricePips;
    }
  | {
      readonly kind: 'market_resolved';
      readonly conditionId: string;
      readonly winningTokenId: string | null;
      readonly timestampMs: number;
    };

const sideSchema = z.enum(['BUY', 'SELL']);

const changeSchema = z.looseObject({
  asset_id: z.string(),
  price: decimalText,
  size: decimalText,
  side: sideSchema,
  best_bid: decimalText.nullish(),
  best_ask: decimalText.nullish(),
});

const envelope = { market: z.string(), timestamp: decimalText };

const priceChangesSchema = z.looseObject({ ...envelope, price_changes: z.array(changeSchema) });
const singleChangeSchema = changeSchema.extend(envelope);
const lastTradeSchema = z.looseObject({
  ...envelope,
  asset_id: z.string(),
  price: decimalText,
  size: decimalText.nullish().catch(null),
  side: sideSchema.nullish().catch(null),
});
const tickSizeSchema = z.looseObject({ ...envelope, asset_id: z.string(), new_tick_size: decimalText });
const resolvedSchema = z.looseObject({ ...envelope, winning_asset_id: z.string().nullish() });

/** A best price as the venue writes it: an empty side is an empty text, 0 (bids) or 0 or 1 (asks). */
const bestPriceOf = (text: string | null | undefined, emptyWords: readonly string[]): PricePips | null | undefined => {
  if (text === null || text === undefined) {
    return undefined;
  }
  return emptyWords.includes(text) ? null : (toPricePips(text) ?? undefined);
};

const priceChangeOf = (change: z.output<typeof changeSchema>): PriceChange | null => {
  const changedPrice = toLevelPricePips(change.price);
  const sizeTokenUnits = toTokenUnits(change.size);
  return changedPrice === null || sizeTokenUnits === null
    ? null
    : {
        tokenId: change.asset_id,
        side: change.side,
        pricePips: changedPrice,
        sizeTokenUnits,
        bestBidPricePips: bestPriceOf(change.best_bid, ['', '0']),
        bestAskPricePips: bestPriceOf(change.best_ask, ['', '0', '1']),
      };
};

const priceChangeMessageOf = (message: unknown): MarketMessage | null => {
  const many = priceChangesSchema.safeParse(message);
  const single = many.success ? null : singleChangeSchema.safeParse(message);
  const wire = many.success ? many.data : single?.data;
  const timestampMs = wire === undefined ? null : venueMillisecondsOf(wire.timestamp);
  if (wire === undefined || timestampMs === null) {
    return null;
  }
  const wireChanges = many.success ? many.data.price_changes : single?.success ? [single.data] : [];
  const changes = wireChanges.map(priceChangeOf).filter((change) => change !== null);
  return changes.length === wireChanges.length
    ? { kind: 'price_change', conditionId: wire.market.toLowerCase(), timestampMs, changes }
    : null;
};

const bookMessageOf = (message: unknown): MarketMessage | null => {
  const wire = wireBookSchema.safeParse(message);
  const snapshot = wire.success ? bookSnapshotOf(wire.data) : null;
  return snapshot === null ? null : { kind: 'book', snapshot };
};

const lastTradeMessageOf = (message: unknown): MarketMessage | null => {
  const wire = lastTradeSchema.safeParse(message).data;
  const timestampMs = wire === undefined ? null : venueMillisecondsOf(wire.timestamp);
  const tradePricePips = wire === undefined ? null : toPricePipsDown(wire.price);
  return wire === undefined || timestampMs === null || tradePricePips === null
    ? null
    : {
        kind: 'last_trade_price',
        conditionId: wire.market.toLowerCase(),
        tokenId: wire.asset_id,
        timestampMs,
        pricePips: tradePricePips,
        sizeTokenUnits: toTokenUnits(wire.size ?? ''),
        takerSide: wire.side ?? null,
      };
};

const tickSizeMessageOf = (message: unknown): MarketMessage | null => {
  const wire = tickSizeSchema.safeParse(message).data;
  const timestampMs = wire === undefined ? null : venueMillisecondsOf(wire.timestamp);
  const newTickPricePips = wire === undefined ? null : toPricePips(wire.new_tick_size);
  return wire === undefined || timestampMs === null || newTickPricePips === null
    ? null
    : {
        kind: 'tick_size_change',
        conditionId: wire.market.toLowerCase(),
        tokenId: wire.asset_id,
        timestampMs,
        newTickPricePips,
      };
};

const resolvedMessageOf = (message: unknown): MarketMessage | null => {
  const wire = resolvedSchema.safeParse(message).data;
  const timestampMs = wire === undefined ? null : venueMillisecondsOf(wire.timestamp);
  return wire === undefined || timestampMs === null
    ? null
    : {
        kind: 'market_resolved',
        conditionId: wire.market.toLowerCase(),
        winningTokenId: wire.winning_asset_id ?? null,
        timestampMs,
      };
};

const readers: Readonly<Record<string, (message: unknown) => MarketMessage | null>> = {
  book: bookMessageOf,
  price_change: priceChangeMessageOf,
  last_trade_price: lastTradeMessageOf,
  tick_size_change: tickSizeMessageOf,
  market_resolved: resolvedMessageOf,
};

const eventTypeOf = (message: unknown): string | null =>
  typeof message === 'object' && message !== null && 'event_type' in message && typeof message.event_type === 'string'
    ? message.event_type
    : null;

/**
 * One message of the market socket. `unknown` is a type this service does not use (skip it); null is a message of a
 * known type, or of none, that cannot be read: the books it was about must be read again.
 */
export function parseMarketMessage(message: unknown): MarketMessage | 'unknown' | null {
  const eventType = eventTypeOf(message);
  if (eventType === null) {
    return null;
  }
  const read = readers[eventType];
  return read === undefined ? 'unknown' : read(message);
}
