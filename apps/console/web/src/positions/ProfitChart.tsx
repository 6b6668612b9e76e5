import type { Position } from '@core/sdk';
import { useMemo } from 'react';
import { signedDollars } from '../money.ts';
import { LineChart } from '../parts/LineChart.tsx';
import { profitPointsOf } from './profitPoints.ts';

/** Margin above and below the values: ten cents. */
const marginPips = 1_000;
const formatOf = (pips: number): string => signedDollars(String(Math.round(pips)));

/** Chart of the profit after fees over time: a step for each closed position, and open positions at their price now. */
export function ProfitChart({ positions }: { readonly positions: readonly Position[] }) {
  const points = useMemo(() => profitPointsOf(positions), [positions]);
  const last = points.at(-1);
  if (last === undefined || points.length < 2) return null;
  return (
    <LineChart
      points={points}
      formatOf={formatOf}
      margin={marginPips}
      isStepped
      label={`Open and realised profit after fees of ${positions.length} position${positions.length === 1 ? '' : 's'}`}
      summary={formatOf(last.value)}
    />
  );
}
