import { useMemo, useState } from 'react';
import { cents } from '../money.ts';
import { LineChart } from '../parts/LineChart.tsx';
import type { PlotLevel, PlotMark } from '../parts/LinePlot.tsx';
import { type PriceRange, usePriceHistory } from './usePriceHistory.ts';

interface PriceChartProps {
  readonly ticker: string;
  readonly side: 'yes' | 'no';
  readonly levels?: readonly PlotLevel[];
  readonly marks?: readonly PlotMark[];
}

const ranges: readonly { readonly range: PriceRange; readonly text: string }[] = [
  { range: '1h', text: '1 h' },
  { range: '6h', text: '6 h' },
  { range: '1d', text: '1 d' },
  { range: '1w', text: '1 w' },
  { range: 'all', text: 'All' },
];

/** Margin above and below the prices: one cent. */
const marginPips = 100;
const wholePips = 10_000;
const noLevels: readonly PlotLevel[] = [];
const noMarks: readonly PlotMark[] = [];

/** Chart of one side's prices as steps: a price is valid until the next one. The user selects the range. */
export function PriceChart({ ticker, side, levels = noLevels, marks = noMarks }: PriceChartProps) {
  const [range, setRange] = useState<PriceRange>('1d');
  const { points, isLoading, hasFailed } = usePriceHistory(ticker, range);
  const last = points.at(-1);
  const plotPoints = useMemo(
    () => points.map(({ atMs, pips }) => ({ atMs, value: side === 'yes' ? pips : wholePips - pips })),
    [points, side],
  );
  const visibleLevels = useMemo(() => levels.filter(({ value }) => value > 0), [levels]);
  const levelTexts = visibleLevels.map(({ title, value }) => ` · ${title} ${cents(value)}`).join('');
  return (
    <>
      <div className="choices ranges">
        {ranges.map((choice) => (
          <button
            key={choice.range}
            type="button"
            aria-pressed={range === choice.range}
            onClick={() => setRange(choice.range)}
          >
            {choice.text}
          </button>
        ))}
      </div>
      {hasFailed ? <p className="old">Past prices are not available now. The chart begins at page load.</p> : null}
      {last === undefined ? (
        <p className="chart hint plot">{isLoading ? 'Loading prices …' : 'No price yet.'}</p>
      ) : (
        <LineChart
          points={plotPoints}
          levels={visibleLevels}
          marks={marks}
          formatOf={cents}
          margin={marginPips}
          isStepped
          label={`Price of ${side.toUpperCase()}`}
          summary={`${cents(plotPoints.at(-1)?.value)}${levelTexts}`}
        />
      )}
    </>
  );
}
