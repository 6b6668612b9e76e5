import type { Market } from '@core/sdk';

export interface MarketFilter {
  readonly text: string;
  readonly category: 'all' | Market['category'];
  readonly isOpenOnly: boolean;
}

/** Markets that match: the text in title, outcome, ticker or event. Those that take positions first, then by title. */
export function filterMarkets(markets: readonly Market[], filter: MarketFilter): readonly Market[] {
  const wanted = filter.text.trim().toLowerCase();
  return markets
    .filter((market) => filter.category === 'all' || market.category === filter.category)
    .filter((market) => !filter.isOpenOnly || market.accepting_new_positions)
    .filter((market) => textOf(market).includes(wanted))
    .toSorted(
      (left, right) =>
        Number(right.accepting_new_positions) - Number(left.accepting_new_positions) ||
        titleOf(left).localeCompare(titleOf(right)),
    );
}

export const titleOf = ({ title, ticker }: Pick<Market, 'title' | 'ticker'>): string => title ?? ticker;

function textOf({ title, yes_sub_title: outcome, ticker, event }: Market): string {
  return [title, outcome, ticker, event.title].join(' ').toLowerCase();
}
