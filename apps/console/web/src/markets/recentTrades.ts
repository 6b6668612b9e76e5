import type { OrderBook } from '@core/sdk';

type Trade = NonNullable<OrderBook['yes']>['trades'][number];

/** Trade of one side, with a key that is unique in its list. */
export interface RecentTrade {
  readonly key: string;
  readonly side: 'yes' | 'no';
  readonly trade: Trade;
}

/** Trades in a display. */
const rowCount = 12;

/** Return the last trades of both sides, newest first. */
export function recentTradesOf({ yes, no }: Pick<OrderBook, 'yes' | 'no'>): readonly RecentTrade[] {
  const of = (side: RecentTrade['side'], trades: readonly Trade[]): readonly RecentTrade[] =>
    // Counted from the oldest, so that a row keeps its key when a trade is added.
    trades.map((trade, index) => ({ key: `${side} ${trade.at} ${trades.length - index}`, side, trade }));
  return [...of('yes', yes?.trades ?? []), ...of('no', no?.trades ?? [])]
    .toSorted((left, right) => Date.parse(right.trade.at) - Date.parse(left.trade.at))
    .slice(0, rowCount);
}
