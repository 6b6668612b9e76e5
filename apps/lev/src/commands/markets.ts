import type { Market } from '@core/sdk';
import { type Answer, fieldsText } from '../answer.ts';
import type { Context } from '../context.ts';
import { listAnswer, listUpTo } from '../listed.ts';
import { priceText } from '../money.ts';
import { countOf } from '../words.ts';

const defaultLimit = 25;
const multiple = (bps: number): string => (bps === 0 ? '-' : `${bps / 10_000}x`);

/** List markets, or show one. */
export async function markets({ lev, isSet, option }: Context, [ticker]: readonly string[]): Promise<Answer> {
  if (ticker !== undefined) return one(await lev().markets.get(ticker, { expand: ['prices', 'rules'] }));
  const limit = countOf('--limit', option('limit')) ?? defaultLimit;
  const query = option('query');
  const list = lev().markets.list({
    expand: ['prices'],
    sort: 'depth_desc',
    limit: Math.min(limit + 1, 100),
    ...(!isSet('all') && { accepting_new_positions: true }),
    ...(query !== null && { query }),
  });
  return listAnswer(await listUpTo(list, limit), {
    heads: ['TICKER', 'BID', 'ASK', 'MAX YES', 'MAX NO', 'NEW POSITIONS'],
    rowOf: (market) => [
      market.ticker,
      priceText(market.prices?.yes_bid_price_usd_pips),
      priceText(market.prices?.yes_ask_price_usd_pips),
      multiple(market.leverage.max_yes_bps),
      multiple(market.leverage.max_no_bps),
      market.rejection_reason_code ?? 'open',
    ],
    whenEmpty: isSet('all')
      ? 'No market matches.'
      : `No ${query === null ? 'market' : `market with "${query}"`} accepts new positions; --all lists every market.`,
  });
}

function one(market: Market): Answer {
  const text = fieldsText({
    ticker: market.ticker,
    title: market.title,
    yes: market.yes_sub_title,
    no: market.no_sub_title,
    status: market.status,
    'yes bid / ask': `${priceText(market.prices?.yes_bid_price_usd_pips)} / ${priceText(market.prices?.yes_ask_price_usd_pips)}`,
    'maximum leverage': `yes ${multiple(market.leverage.max_yes_bps)}, no ${multiple(market.leverage.max_no_bps)}`,
    'maximum notional': `yes ${market.max_notional_yes_usd ?? '-'}, no ${market.max_notional_no_usd ?? '-'}`,
    'new positions': market.rejection_reason_code ?? 'open',
    closes: market.close_time,
    'resolution source': market.resolution_source,
    rules: market.rules?.replaceAll(/\s+/g, ' '),
  });
  return { value: market, text };
}
