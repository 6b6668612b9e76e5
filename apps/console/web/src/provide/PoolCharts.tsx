import { useMemo, useState } from 'react';
import { dollarsHeld, percent, signedPercent, timeText } from '../money.ts';
import { LineChart } from '../parts/LineChart.tsx';
import type { PlotPoint } from '../parts/LinePlot.tsx';
import { aprOf } from './poolApr.ts';
import type { PoolPoint } from './readPoolHistory.ts';
import { sharePriceText } from './shares.ts';

interface PoolChart {
  readonly text: string;
  /** Value at a point; null where it is unknown. */
  readonly valueOf: (point: PoolPoint, points: readonly PoolPoint[]) => number | null;
  readonly formatOf: (value: number) => string;
  readonly margin: number;
  /** True where a value lasts until the next event. Income accrues evenly, so the share price is interpolated. */
  readonly isStepped: boolean;
}

const unitsOf = (value: number): bigint => BigInt(Math.round(value));
const aprChart = (days: number): PoolChart => ({
  text: `APR, ${days} days`,
  valueOf: (point, points) => aprOf(points, point, days),
  formatOf: signedPercent,
  margin: 100,
  isStepped: false,
});

const charts: readonly PoolChart[] = [
  {
    text: 'Share price',
    valueOf: ({ usdcUnits }) => Number(usdcUnits),
    formatOf: (value) => sharePriceText(unitsOf(value)),
    margin: 500,
    isStepped: false,
  },
  {
    text: 'Utilisation',
    valueOf: ({ utilisationBps }) => utilisationBps,
    formatOf: percent,
    margin: 100,
    isStepped: true,
  },
  {
    text: 'Total value',
    valueOf: ({ totalUsdcUnits }) => (totalUsdcUnits === null ? null : Number(totalUsdcUnits)),
    formatOf: (value) => dollarsHeld(unitsOf(value)),
    margin: 1_000_000,
    isStepped: true,
  },
  aprChart(7),
  aprChart(30),
];

/** Chart of one figure of the pool over its history. The user selects the figure. */
export function PoolCharts({ points }: { readonly points: readonly PoolPoint[] }) {
  const [selected, setSelected] = useState(charts[0]);
  const plotPoints = useMemo<readonly PlotPoint[]>(
    () =>
      points.flatMap((point) => {
        const value = selected?.valueOf(point, points) ?? null;
        return value === null ? [] : [{ atMs: point.atSeconds * 1_000, value }];
      }),
    [points, selected],
  );
  if (selected === undefined) return null;
  const first = plotPoints[0];
  const last = plotPoints.at(-1);
  return (
    <>
      <div className="choices ranges">
        {charts.map((chart) => (
          <button key={chart.text} type="button" aria-pressed={chart === selected} onClick={() => setSelected(chart)}>
            {chart.text}
          </button>
        ))}
      </div>
      {first === undefined || last === undefined ? (
        <p className="chart hint plot">The history is too short for this chart.</p>
      ) : (
        <LineChart
          key={selected.text}
          points={plotPoints}
          formatOf={selected.formatOf}
          margin={selected.margin}
          isStepped={selected.isStepped}
          label={`${selected.text} since ${timeText(new Date(first.atMs).toISOString())}`}
          summary={`from ${selected.formatOf(first.value)} to ${selected.formatOf(last.value)}`}
        />
      )}
    </>
  );
}
