import type { Market } from '@core/sdk';

export interface MarketFilter {
  readonly text: string;
  readonly category: 'all' | Market['category'];
  readonly isOpenOnly: boolean;
  /** Tickers to which the list is restricted; all when absent. */
  readonly tickers?: ReadonlySet<string> | undefined;
}

/** Return the markets whose title, outcomes, ticker or event contain the text: tradable ones first, then by title. */
export function filterMarkets(markets: readonly Market[], filter: MarketFilter): readonly Market[] {
  const searchText = filter.text.trim().toLowerCase();
  return markets
    .filter((market) => filter.category === 'all' || market.category === filter.category)
    .filter((market) => !filter.isOpenOnly || market.accepting_new_positions)
    .filter(({ ticker }) => filter.tickers?.has(ticker) !== false)
    .filter((market) => textOf(market).includes(searchText))
    .toSorted(
      (left, right) =>
        Number(right.accepting_new_positions) - Number(left.accepting_new_positions) ||
        titleOf(left).localeCompare(titleOf(right)),
    );
}

export const titleOf = ({ title, ticker }: Pick<Market, 'title' | 'ticker'>): string => title ?? ticker;

function textOf({ title, yes_sub_title: yes, no_sub_title: no, ticker, event }: Market): string {
  return [title, yes, no, ticker, event.title].join(' ').toLowerCase();
}
