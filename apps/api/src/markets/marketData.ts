import { reject } from '@core/errors';
import type { MarketRecord } from '@core/market';
import { type BookLevel, raw, subtract } from '@core/pricing';
import { type PastPrice, type TokenBook } from '@core/venue';
import { isoTimeOf, type MarketStatisticsWire, money, nullableMoney, type OrderBookWire } from '@core/wire';
import { answer, type Handler } from '../http/call.ts';
import type { MarketDirectory } from './marketDirectory.ts';
import { type PriceHistories, sampledOf } from './priceHistories.ts';

/** Markets, and their past prices at the venue. */
interface MarketDataSource {
  readonly markets: Pick<MarketDirectory, 'find' | 'booksOf' | 'recordOf'>;
  readonly histories: PriceHistories;
}

/** GET /markets/{ticker}/price-history. */
export function getPriceHistory({ markets, histories }: MarketDataSource): Handler<'getPriceHistory'> {
  return async ({ params: { ticker }, query: { range } }) => {
    const market = await markets.find(ticker);
    if (market === null) return reject('customer_market_not_found');
    const points = await histories.historyOf(market.record.yesTokenId, range);
    const data = points.map(({ atMs, pricePips }) => ({ at: isoTimeOf(atMs), ...money('yes_price', pricePips) }));
    return answer({ market_ticker: ticker, range, data });
  };
}

/** Levels of each side in an answer. */
const maxLevels = 20;

/** GET /markets/{ticker}/order-book. */
export function getOrderBook({ markets }: Pick<MarketDataSource, 'markets'>): Handler<'getOrderBook'> {
  return async ({ params: { ticker } }) => {
    const market = await markets.find(ticker);
    if (market === null) return reject('customer_market_not_found');
    const { yes, no } = markets.booksOf(market.record);
    return answer({ market_ticker: ticker, yes: presentBook(yes.book), no: presentBook(no.book) });
  };
}

function presentBook(book: TokenBook | null): OrderBookWire['yes'] {
  if (book === null) return null;
  const { asks, bids, trades, receivedAtMs } = book;
  const [lastTrade = null] = trades;
  return {
    asks: asks.slice(0, maxLevels).map(presentLevel),
    bids: bids.slice(0, maxLevels).map(presentLevel),
    last_trade: lastTrade && { at: isoTimeOf(lastTrade.atMs), ...money('price', lastTrade.pricePips) },
    trades: trades.map(presentTrade),
    updated_at: isoTimeOf(receivedAtMs),
  };
}

function presentTrade({ atMs, pricePips, sizeTokenUnits, takerSide }: TokenBook['trades'][number]) {
  return {
    at: isoTimeOf(atMs),
    ...money('price', pricePips),
    token_units: sizeTokenUnits === null ? null : String(raw(sizeTokenUnits)),
    taker_side: takerSide === null ? null : takerSide === 'BUY' ? ('buy' as const) : ('sell' as const),
  };
}

function presentLevel({ pricePips, sizeTokenUnits }: BookLevel) {
  return { ...money('price', pricePips), token_units: String(raw(sizeTokenUnits)) };
}

const maxSamples = 24;

/** GET /market-statistics. A market whose history cannot be read has none. */
export function getMarketStatistics({ markets, histories }: MarketDataSource): Handler<'getMarketStatistics'> {
  return async ({ query: { tickers } }) => {
    const records = [...new Set(tickers)].flatMap((ticker) => markets.recordOf(ticker) ?? []);
    const data = await Promise.all(
      records.map(async (record) => {
        const history = await histories.historyOf(record.yesTokenId, '1d').catch(() => []);
        return presentStatistics(record, history);
      }),
    );
    return answer({ data, has_more: false });
  };
}

function presentStatistics({ ticker, record }: MarketRecord, history: readonly PastPrice[]): MarketStatisticsWire {
  const [first] = history;
  const last = history.at(-1);
  const change =
    first === undefined || last === undefined || first === last ? null : subtract(last.pricePips, first.pricePips);
  return {
    market_ticker: ticker,
    ...nullableMoney('volume24h', record?.volume24hUsdPips ?? null),
    ...nullableMoney('liquidity', record?.liquidityUsdPips ?? null),
    ...nullableMoney('open_interest', record?.openInterestUsdPips ?? null),
    ...nullableMoney('yes_price_change24h', change),
    yes_price_samples24h_usd_pips: sampledOf(history, maxSamples).map(({ pricePips }) => String(raw(pricePips))),
  };
}
