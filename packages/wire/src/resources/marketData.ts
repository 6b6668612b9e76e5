import { z } from 'zod';
import { isoTime, usdText } from '../codecs/formats.ts';
import { nullableMoneyShape, priceShape } from '../codecs/moneyShapes.ts';
import { pricePipsText, signedUsdPipsText, tokenUnitsText } from '../codecs/quantities.ts';

/** Ranges of a price history, each up to now. */
export const priceHistoryRange = z.enum(['1h', '6h', '1d', '1w', 'all']);

export type PriceHistoryRange = z.infer<typeof priceHistoryRange>;

/** Past prices of YES in a market (house extension). NO is 1 USD minus YES. */
export const priceHistory = z
  .object({
    market_ticker: z.string(),
    range: priceHistoryRange,
    data: z
      .array(z.object({ at: isoTime, ...priceShape('yes_price') }))
      .meta({ description: 'Oldest first, at most 500 points' }),
  })
  .meta({ id: 'PriceHistory' });

const bookLevel = z.object({ ...priceShape('price'), token_units: tokenUnitsText });

const trade = z.object({
  at: isoTime,
  ...priceShape('price'),
  token_units: tokenUnitsText.nullable().meta({ description: 'Null where the venue does not state it' }),
  taker_side: z.enum(['buy', 'sell']).nullable().meta({ description: 'Direction of the order that met the book' }),
});

const tokenBook = z.object({
  asks: z.array(bookLevel).meta({ description: 'Lowest first' }),
  bids: z.array(bookLevel).meta({ description: 'Highest first' }),
  last_trade: z.object({ at: isoTime, ...priceShape('price') }).nullable(),
  trades: z
    .array(trade)
    .meta({ description: 'Newest first, at most 30, since the service began to follow the market' }),
  updated_at: isoTime,
});

/** Order books of both outcomes of a market (house extension); null while a book is unknown. */
export const orderBook = z
  .object({ market_ticker: z.string(), yes: tokenBook.nullable(), no: tokenBook.nullable() })
  .meta({ id: 'OrderBook' });

export type OrderBookWire = z.input<typeof orderBook>;

/** Trading activity of a market in the last 24 hours (house extension). */
export const marketStatistics = z
  .object({
    market_ticker: z.string(),
    ...nullableMoneyShape('volume24h'),
    ...nullableMoneyShape('liquidity'),
    ...nullableMoneyShape('open_interest'),
    yes_price_change24h_usd_pips: signedUsdPipsText.nullable(),
    yes_price_change24h_usd: usdText.nullable(),
    yes_price_samples24h_usd_pips: z
      .array(pricePipsText)
      .meta({ description: 'Up to 24 prices of YES, oldest first, for a small chart' }),
  })
  .meta({ id: 'MarketStatistics' });

export type MarketStatisticsWire = z.input<typeof marketStatistics>;
