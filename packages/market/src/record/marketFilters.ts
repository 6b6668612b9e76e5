import { keysOf } from '@core/position';
import type { MarketRecord } from './market.ts';

/** Filters of a market list, all of which hold. The store has the condition of each in SQL. */
export interface MarketFilters {
  readonly category?: string | undefined;
  readonly eventTicker?: string | undefined;
  readonly seriesTicker?: string | undefined;
  /** Substring of the title, or exactly the ticker (both without regard to case), or exactly a token id. */
  readonly query?: string | undefined;
}

const predicates: Readonly<Record<keyof MarketFilters, (record: MarketRecord, value: string) => boolean>> = {
  category: ({ category }, value) => category === value,
  eventTicker: ({ eventTicker }, value) => eventTicker === value,
  seriesTicker: ({ seriesTicker }, value) => seriesTicker === value,
  query: ({ title, ticker, yesTokenId, noTokenId }, value) => {
    const text = value.toLowerCase();
    const isNamed = ticker.toLowerCase() === text || yesTokenId === value || noTokenId === value;
    return isNamed || title?.toLowerCase().includes(text) === true;
  },
};
const names = keysOf(predicates);

/** Return true for a market that every filter matches. */
export function isMatch(record: MarketRecord, filters: MarketFilters): boolean {
  return names.every((name) => filters[name] === undefined || predicates[name](record, filters[name]));
}
