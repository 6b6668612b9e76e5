import type { Market, MarketStatistics } from '@core/sdk';
import { Link } from '@tanstack/react-router';
import { memo, useMemo, useState } from 'react';
import { serviceNowMs } from '../live/serviceClock.ts';
import { cents, shortDollars, times, timeText } from '../money.ts';
import { Figure } from '../parts/Figure.tsx';
import { PriceChange } from '../parts/PriceChange.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { SortableTable } from '../parts/SortableTable.tsx';
import { Sparkline } from '../parts/Sparkline.tsx';
import type { Column } from '../parts/sortedRows.ts';
import { spanText } from '../quotes/lifeText.ts';
import { FavouriteButton } from './FavouriteButton.tsx';
import { titleOf } from './filterMarkets.ts';
import { changeInDayOf, closeMsOf, detailOf, highestLeverageOf } from './marketRows.ts';
import { reasonText } from './reasonTexts.ts';

/** Market with its statistics; undefined before they are loaded. */
interface MarketRow {
  readonly market: Market;
  readonly statistics: MarketStatistics | undefined;
}

const live = { isNumber: true, isLive: true } as const;

/** Return a sortable figure of the statistics; an unknown one is below all others. */
const numberOf = (pips: string | null | undefined): number => Number(pips ?? Number.NEGATIVE_INFINITY);

const priceColumns = (['yes', 'no'] as const).map(
  (side): Column<MarketRow> => ({
    heading: side.toUpperCase(),
    sortValueOf: ({ market: { prices } }) => Number(prices?.[`${side}_ask_price_usd_pips`] ?? -1),
    cell: (original) => (
      <Figure className={side === 'yes' ? 'gain' : 'loss'}>
        {cents(original.market.prices?.[`${side}_ask_price_usd_pips`])}
      </Figure>
    ),
    ...live,
  }),
);

const activityColumns: readonly Column<MarketRow>[] = [
  {
    heading: '24 h',
    sortValueOf: ({ market, statistics }) => changeInDayOf(market, statistics) ?? Number.NEGATIVE_INFINITY,
    cell: (original) => <PriceChange pips={changeInDayOf(original.market, original.statistics)} />,
    ...live,
  },
  {
    heading: 'Chart',
    cell: (original) => <Chart samples={original.statistics?.yes_price_samples24h_usd_pips} />,
  },
  {
    heading: 'Volume 24 h',
    sortValueOf: ({ statistics }) => numberOf(statistics?.volume24h_usd_pips),
    cell: (original) => <Figure>{shortDollars(original.statistics?.volume24h_usd_pips)}</Figure>,
    isNumber: true,
  },
  {
    heading: 'Liquidity',
    sortValueOf: ({ statistics }) => numberOf(statistics?.liquidity_usd_pips),
    cell: (original) => <Figure>{shortDollars(original.statistics?.liquidity_usd_pips)}</Figure>,
    isNumber: true,
  },
];

const columns: readonly Column<MarketRow>[] = [
  {
    heading: 'Market',
    sortValueOf: ({ market }) => titleOf(market),
    cell: (original) => <Name market={original.market} />,
  },
  ...priceColumns,
  ...activityColumns,
  {
    heading: 'Ends in',
    sortValueOf: ({ market }) => closeMsOf(market),
    cell: (original) => <Ends market={original.market} />,
    isNumber: true,
  },
  {
    heading: 'Leverage',
    sortValueOf: ({ market }) => highestLeverageOf(market),
    cell: (original) => <Leverage market={original.market} />,
    isNumber: true,
  },
];

const openFirst = { heading: 'Leverage', isDescending: true };

interface MarketsTableProps {
  readonly markets: readonly Market[];
  readonly statistics: ReadonlyMap<string, MarketStatistics>;
}

/** Table of markets, the highest leverage first. */
export function MarketsTable({ markets, statistics }: MarketsTableProps) {
  const rows = useRows(markets, statistics);
  return (
    <SortableTable
      name="Markets"
      rows={rows}
      columns={columns}
      idOf={({ market: { ticker } }) => ticker}
      sortedBy={openFirst}
    />
  );
}

/** Return the rows of markets. One whose market and statistics are the same stays the same object. */
function useRows(markets: readonly Market[], statistics: ReadonlyMap<string, MarketStatistics>): readonly MarketRow[] {
  const [known] = useState(() => new Map<string, MarketRow>());
  return useMemo(
    () =>
      markets.map((market) => {
        const row = { market, statistics: statistics.get(market.ticker) };
        const before = known.get(market.ticker);
        if (before?.market === market && before.statistics === row.statistics) return before;
        known.set(market.ticker, row);
        return row;
      }),
    [markets, statistics, known],
  );
}

interface NameProps {
  readonly market: Market;
}

const isSameName = ({ market }: NameProps, { market: next }: NameProps): boolean =>
  market.ticker === next.ticker && titleOf(market) === titleOf(next) && detailOf(market) === detailOf(next);

/** Name of a market with its link. Prices change with every frame of the socket, names do not. */
const Name = memo(function Name({ market }: NameProps) {
  return (
    <>
      <FavouriteButton market={market} />
      <Link to="/markets/$ticker" params={{ ticker: market.ticker }}>
        {titleOf(market)}
      </Link>
      <br />
      <span className="hint">{detailOf(market)}</span>
    </>
  );
}, isSameName);

interface ChartProps {
  readonly samples: MarketStatistics['yes_price_samples24h_usd_pips'] | undefined;
}

const Chart = memo(function Chart({ samples }: ChartProps) {
  return <Sparkline values={(samples ?? []).map(Number)} />;
});

function Ends({ market: { close_time: at } }: { readonly market: Market }) {
  if (at === null) return <Figure>–</Figure>;
  return <Figure title={timeText(at)}>{spanText(Date.parse(at) - serviceNowMs())}</Figure>;
}

function Leverage({ market }: { readonly market: Market }) {
  const reason = reasonText(market.rejection_reason_code);
  if (reason !== null) return <span className="closed">{reason}</span>;
  return <Sentence text={`up to ${times(highestLeverageOf(market))}`} />;
}
