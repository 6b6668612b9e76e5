import type { Market, MarketStatistics } from '@core/sdk';
import { titleOf } from './filterMarkets.ts';

type Side = 'yes' | 'no';
/** Names of a market's outcomes. */
export type OutcomeNames = Pick<Market, 'yes_sub_title' | 'no_sub_title'>;

/** Return the name of a side's outcome; null for a plain yes or no. */
export function outcomeOf(market: OutcomeNames, side: Side): string | null {
  const name = market[`${side}_sub_title`]?.trim() ?? '';
  return name === '' || name.toLowerCase() === side ? null : name;
}

/** Return the category and outcomes of a market, which distinguish it from others of the same title. */
export function detailOf(market: OutcomeNames & Pick<Market, 'category' | 'title' | 'ticker'>): string {
  const outcomes = (['yes', 'no'] as const).flatMap((side) => {
    const name = outcomeOf(market, side);
    return name === null || name === titleOf(market) ? [] : [`${side.toUpperCase()}: ${name}`];
  });
  return [market.category, ...outcomes].join(' · ');
}

/** Return the highest leverage of both sides, in basis points; 0 where none is offered. */
export function highestLeverageOf({ accepting_new_positions: isOpen, leverage }: Market): number {
  return isOpen ? Math.max(leverage.max_yes_bps, leverage.max_no_bps) : 0;
}

/** Return the time of the close, epoch milliseconds; the far future where none is set. */
export const closeMsOf = ({ close_time: at }: Market): number =>
  at === null ? Number.POSITIVE_INFINITY : Date.parse(at);

/** Return the middle of the best prices of YES, in pips; null without both. */
export function midOf({ prices }: Pick<Market, 'prices'>): number | null {
  const { yes_ask_price_usd_pips: ask = null, yes_bid_price_usd_pips: bid = null } = prices ?? {};
  return ask === null || bid === null ? null : (Number(ask) + Number(bid)) / 2;
}

/**
 * Return the change of the price of YES in a day, in pips: from the oldest sample of the statistics to the price now.
 * The samples are minutes old. Without a price now it is the change as of the samples, without samples null.
 */
export function changeInDayOf(
  market: Pick<Market, 'prices'>,
  statistics: Pick<MarketStatistics, 'yes_price_change24h_usd_pips' | 'yes_price_samples24h_usd_pips'> | undefined,
): number | null {
  const [oldest] = statistics?.yes_price_samples24h_usd_pips ?? [];
  const { yes_price_change24h_usd_pips: change = null } = statistics ?? {};
  const mid = midOf(market);
  if (oldest !== undefined && mid !== null) return mid - Number(oldest);
  return change === null ? null : Number(change);
}
