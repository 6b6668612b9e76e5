import type { Market } from '@core/sdk';
import { type Answer, fieldsText, tableOf } from '../answer.ts';
import type { Context } from '../context.ts';
import { countOf } from '../words.ts';

const defaultLimit = 25;
const multiple = (bps: number): string => `${bps / 10_000}x`;

/** A list of markets, or one of them. */
export async function markets({ lev, isSet, option }: Context, [ticker]: readonly string[]): Promise<Answer> {
  if (ticker !== undefined) return one(await lev().markets.get(ticker, { expand: ['prices'] }));
  const limit = countOf('--limit', option('limit')) ?? defaultLimit;
  const query = option('query');
  const list = lev().markets.list({
    expand: ['prices'],
    sort: 'depth_desc',
    limit: Math.min(limit, 100),
    ...(!isSet('all') && { accepting_new_positions: true }),
    ...(query !== null && { query }),
  });
  const found: Market[] = [];
  for await (const market of list) {
    found.push(market);
    if (found.length >= limit) break;
  }
  const rows = found.map((market) => [
    market.ticker,
    market.prices?.yes_bid_price_usd ?? '-',
    market.prices?.yes_ask_price_usd ?? '-',
    multiple(market.leverage.max_yes_bps),
    multiple(market.leverage.max_no_bps),
    market.rejection_reason_code ?? 'open',
  ]);
  return { value: found, text: tableOf(['TICKER', 'BID', 'ASK', 'MAX YES', 'MAX NO', 'NEW POSITIONS'], rows) };
}

function one(market: Market): Answer {
  const text = fieldsText({
    ticker: market.ticker,
    title: market.title,
    status: market.status,
    'yes bid / ask': `${market.prices?.yes_bid_price_usd ?? '-'} / ${market.prices?.yes_ask_price_usd ?? '-'}`,
    'maximum leverage': `yes ${multiple(market.leverage.max_yes_bps)}, no ${multiple(market.leverage.max_no_bps)}`,
    'maximum notional': `yes ${market.max_notional_yes_usd ?? '-'}, no ${market.max_notional_no_usd ?? '-'}`,
    'new positions': market.rejection_reason_code ?? 'open',
    closes: market.close_time,
  });
  return { value: market, text };
}
