import { lazy, Suspense } from 'react';
import { usePaced } from '../usePaced.ts';
import type { LinePlotProps } from './LinePlot.tsx';
import { Sentence } from './Sentence.tsx';

const LinePlot = lazy(() => import('./LinePlot.tsx'));

/** Lines with another beginning are of another range, market or figure. */
const firstMsOf = ([first]: LinePlotProps['points']): number | undefined => first?.atMs;

interface LineChartProps extends LinePlotProps {
  readonly label: string;
  /** Current value in words, for screen readers. */
  readonly summary: string;
}

/** Time for which a drawn line is left alone while its value moves; the label follows each change. */
const redrawMs = 5_000;

/** Chart with its label; the chart library is loaded on first use. */
export function LineChart({ label, summary, points, ...plot }: LineChartProps) {
  const shownPoints = usePaced(points, { paceMs: redrawMs, seriesOf: firstMsOf });
  return (
    <figure className="chart" aria-label={`${label}: ${summary}`}>
      <Suspense fallback={<div className="plot" />}>
        <LinePlot {...plot} points={shownPoints} />
      </Suspense>
      <figcaption>
        <a href="https://www.tradingview.com/" rel="noreferrer">
          Charts by TradingView
        </a>
        <Sentence text={`${label}: ${summary}`} />
      </figcaption>
    </figure>
  );
}
