import { lazy, Suspense } from 'react';
import { cents } from '../money.ts';
import { LineChart } from '../parts/LineChart.tsx';
import { Case, Section } from './Section.tsx';

const LinePlot = lazy(() => import('../parts/LinePlot.tsx'));

const startMs = Date.UTC(2026, 0, 1);
const points = [4_800, 5_000, 4_900, 5_300, 5_250].map((value, index) => ({
  atMs: startMs + index * 3_600_000,
  value,
}));
/** A quiet day, a minute of many prices, and an hour. */
const unequalPoints = [0, 86_000, 86_010, 86_020, 86_030, 86_060, 90_000].map((seconds, index) => ({
  atMs: startMs + seconds * 1_000,
  value: 5_000 + (index % 3) * 150,
}));
const flatPoints = points.map(({ atMs }) => ({ atMs, value: 5_000 }));
const plot = { formatOf: cents, margin: 100 } as const;

/** Charts with lines, levels and marks. */
export function ChartSections() {
  return (
    <>
      <Section name="LineChart">
        <Case of="interpolated">
          <LineChart {...plot} points={points} isStepped={false} label="Price" summary="52.5 ¢" />
        </Case>
        <Case of="too short">
          <p className="chart hint plot">The history is too short for this chart.</p>
        </Case>
      </Section>
      <Section name="LinePlot">
        <Case of="steps with levels and a mark">
          <div className="chart">
            <Suspense fallback={<div className="plot" />}>
              <LinePlot
                {...plot}
                points={points}
                levels={[
                  { value: 5_100, title: 'entry', kind: 'quiet' },
                  { value: 4_600, title: 'liquidation', kind: 'loss' },
                ]}
                marks={[{ atMs: startMs + 7_200_000, text: 'reduction' }]}
                isStepped
              />
            </Suspense>
          </div>
        </Case>
        <Case of="unequal intervals">
          <div className="chart">
            <Suspense fallback={<div className="plot" />}>
              <LinePlot {...plot} points={unequalPoints} isStepped />
            </Suspense>
          </div>
        </Case>
        <Case of="constant">
          <div className="chart">
            <Suspense fallback={<div className="plot" />}>
              <LinePlot {...plot} points={flatPoints} isStepped={false} />
            </Suspense>
          </div>
        </Case>
      </Section>
    </>
  );
}
