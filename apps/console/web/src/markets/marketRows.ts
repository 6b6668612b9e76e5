import type { Market } from '@core/sdk';
import { titleOf } from './filterMarkets.ts';

/** Return the category and outcome of a market, which distinguish it from others of the same title. */
export function detailOf(market: Market): string {
  const { category, yes_sub_title: outcome } = market;
  return outcome === null || outcome === titleOf(market) ? category : `${category} · YES: ${outcome}`;
}

/** Return the highest leverage of both sides, in basis points; 0 where none is offered. */
export function highestLeverageOf({ accepting_new_positions: isOpen, leverage }: Market): number {
  return isOpen ? Math.max(leverage.max_yes_bps, leverage.max_no_bps) : 0;
}

/** Return the time of the close, epoch milliseconds; the far future where none is set. */
export const closeMsOf = ({ close_time: at }: Market): number =>
  at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
