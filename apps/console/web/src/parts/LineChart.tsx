import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { LinePlotProps } from './LinePlot.tsx';
import { Sentence } from './Sentence.tsx';

const LinePlot = lazy(() => import('./LinePlot.tsx'));

interface LineChartProps extends LinePlotProps {
  readonly label: string;
  /** Current value in words, for screen readers. */
  readonly summary: string;
}

/** Time for which a drawn line is left alone while its value moves; the label follows each change. */
const redrawMs = 5_000;

/**
 * Return points that change at most once in that time; the last change of it is returned at its end. Lines with another
 * beginning are of another range, market or figure, and are returned at once.
 */
function usePaced(points: LinePlotProps['points']): LinePlotProps['points'] {
  const [shown, setShown] = useState(points);
  const shownAtMs = useRef(0);
  const isOfAnother = !Object.is(shown[0]?.atMs, points[0]?.atMs);
  if (isOfAnother) setShown(points);
  useEffect(() => {
    if (shown === points) return undefined;
    const show = (): void => {
      shownAtMs.current = Date.now();
      setShown(points);
    };
    const timer = setTimeout(show, Math.max(0, shownAtMs.current + redrawMs - Date.now()));
    return () => clearTimeout(timer);
  }, [points, shown]);
  return isOfAnother ? points : shown;
}

/** Chart with its label; the chart library is loaded on first use. */
export function LineChart({ label, summary, points, ...plot }: LineChartProps) {
  const shownPoints = usePaced(points);
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
