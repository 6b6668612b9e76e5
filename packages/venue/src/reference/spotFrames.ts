import { z } from 'zod';
import { decimalText, wholeNumber } from '../schema/wireTypes.ts';
import { scaledOf } from '../text/decimal.ts';
import { instantMsOf } from '../text/instant.ts';
import type { FeedPrice, SpotFeed } from './spotAgreement.ts';

/** Meaning of one message of a price socket. `alive`: the socket stands by its last prices. */
export type SpotMessage =
  | { readonly kind: 'price'; readonly feed: SpotFeed; readonly price: FeedPrice }
  | { readonly kind: 'alive'; readonly feed: SpotFeed };

const updateSchema = z.looseObject({
  topic: z.enum(['crypto_prices', 'crypto_prices_chainlink']),
  type: z.literal('update'),
  payload: z.looseObject({
    symbol: z.string(),
    timestamp: wholeNumber,
    value: decimalText,
    full_accuracy_value: decimalText.nullish(),
  }),
});

const e18Digits = /^\d{15,40}$/;

/** Whole number of 10^-18 as decimal text. */
function e18Text(digits: string): string {
  const padded = digits.padStart(19, '0');
  return `${padded.slice(0, -18)}.${padded.slice(-18)}`;
}

/**
 * Read a message of the venue's price socket. A slash in the symbol names the oracle's stream, whatever the topic says:
 * its backfill is labelled as that of the exchange. Backfills and averages are no prices of now.
 *
 * @returns Null for a message that is no price.
 */
export function liveDataMessageOf(wire: unknown): SpotMessage | null {
  const parsed = updateSchema.safeParse(wire).data;
  if (parsed === undefined) return null;
  const { symbol, timestamp, value, full_accuracy_value: full } = parsed.payload;
  const [, oracleAsset] = /^([a-z0-9]{2,10})\/usd$/i.exec(symbol) ?? [];
  const [, exchangeAsset] = /^([a-z0-9]{2,10})usdt$/i.exec(symbol) ?? [];
  if (oracleAsset !== undefined) {
    const priceUsd = typeof full === 'string' && e18Digits.test(full) ? e18Text(full) : value;
    const price = { asset: oracleAsset.toUpperCase(), priceUsd, atMs: timestamp };
    return { kind: 'price', feed: 'venue_oracle', price };
  }
  if (exchangeAsset === undefined) return null;
  return {
    kind: 'price',
    feed: 'venue_exchange',
    price: { asset: exchangeAsset.toUpperCase(), priceUsd: value, atMs: timestamp },
  };
}

const coinbaseTickerSchema = z.looseObject({
  type: z.literal('ticker'),
  product_id: z.string(),
  price: decimalText,
  time: z.string().nullish(),
});

/** Read a message of Coinbase's socket. Its heartbeats come once a second. */
export function coinbaseMessageOf(wire: unknown): SpotMessage | null {
  if (z.looseObject({ type: z.literal('heartbeat') }).safeParse(wire).success) {
    return { kind: 'alive', feed: 'coinbase' };
  }
  const ticker = coinbaseTickerSchema.safeParse(wire).data;
  const [, asset] = /^([A-Z0-9]{2,10})-USD$/.exec(ticker?.product_id ?? '') ?? [];
  if (ticker === undefined || asset === undefined) return null;
  return { kind: 'price', feed: 'coinbase', price: { asset, priceUsd: ticker.price, atMs: instantMsOf(ticker.time) } };
}

const krakenTickerSchema = z.looseObject({
  channel: z.literal('ticker'),
  data: z.array(z.looseObject({ symbol: z.string(), bid: decimalText, ask: decimalText, last: decimalText })),
});

/** Return the last trade, which may be old, within both sides of the book. */
function boundedOf(last: string, bid: string, ask: string): string {
  const [lastE8, bidE8, askE8] = [last, bid, ask].map((text) => scaledOf(text, 8, 'down') ?? 0n);
  if (lastE8 === undefined || bidE8 === undefined || askE8 === undefined) return last;
  return lastE8 < bidE8 ? bid : askE8 > 0n && lastE8 > askE8 ? ask : last;
}

/** Read a message of Kraken's socket, which names the last trade and both sides of the book. */
export function krakenMessagesOf(wire: unknown): readonly SpotMessage[] {
  if (z.looseObject({ channel: z.literal('heartbeat') }).safeParse(wire).success) {
    return [{ kind: 'alive', feed: 'kraken' }];
  }
  return (krakenTickerSchema.safeParse(wire).data?.data ?? []).flatMap(({ symbol, bid, ask, last }) => {
    const [, asset] = /^([A-Z0-9]{2,10})\/USD$/.exec(symbol) ?? [];
    if (asset === undefined) return [];
    return [
      { kind: 'price', feed: 'kraken', price: { asset, priceUsd: boundedOf(last, bid, ask), atMs: null } } as const,
    ];
  });
}
